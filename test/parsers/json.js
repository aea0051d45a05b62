'use strict'

const { table } = require('../support/table')

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** A row for a JSON body. */
function row (it, body, expect, options, more) {
  return { it, parser: 'json', options, headers: JSON_TYPE, body, expect, ...more }
}

function failure (message, body, more) {
  return { error: { message, status: 400, type: 'entity.parse.failed', body, ...more } }
}

describe('json()', () => {
  describe('values', () => {
    table([
      row('parses an object', '{"user":"tobi"}', { body: { user: 'tobi' } }),
      row('parses an array', '["tobi", 1, null, true]', { body: ['tobi', 1, null, true] }),
      row('parses in chunked transfer coding', '{"user":"tobi"}', { body: { user: 'tobi' } }, {}, { chunked: true }),
      row('makes {} of an empty body', '', { body: {} }),
      row('makes {} of an empty chunked body', '', { body: {} }, {}, { chunked: true }),
      row('makes {} of an empty body when lenient', '', { body: {} }, { strict: false }),
      row('parses after blanks', ' \t\r\n {"a":1} \n', { body: { a: 1 } }),
      row('parses an array after blanks', ' \t\r\n [1]', { body: [1] }),
      row('keeps __proto__ as an own property', '{"__proto__":{"x":1}}', { body: JSON.parse('{"__proto__":{"x":1}}') }),
      row('keeps the last of a repeated key', '{"a":1,"a":2}', { body: { a: 2 } }),
      row('keeps characters whole over chunks', '{"name":"論 € é 😀"}', { body: { name: '論 € é 😀' } }),
      row('replaces invalid UTF-8', Buffer.from('7b2261223a22ff22c37d', 'hex'), undefined),
      row('parses GET with a body', '{"a":1}', { body: { a: 1 } }, {}, { method: 'GET' }),
      row('parses DELETE with a body', '{"a":1}', { body: { a: 1 } }, {}, { method: 'DELETE' }),
      row('parses a large body', JSON.stringify(Array(9000).fill('ü€😀')), undefined, { limit: '1mb' }),
      row('parses a large chunked body', JSON.stringify(Array(9000).fill('ü€😀')), undefined, { limit: '1mb' }, { chunked: true })
    ])
  })

  describe('strict', () => {
    table([
      ...['true', '1', 'null', '"text"', '  false', 'nope', '#', '"# and # again"', `"${'long '.repeat(30)}"`,
        '{', '[', '{"a":1', '[1,]', '{"a":1}}', '{a:1}', '\u00a0{}', '\u000b{}', '\f[]', '\0', '😀',
        '\n\n   tru', '\ufeff\ufeff{}'
      ].map((text) => row(`refuses ${JSON.stringify(text)}`, text, { error: { status: 400, type: 'entity.parse.failed', constructor: 'SyntaxError' } })),
      row('refuses blanks alone', '  \n', failure('Unexpected end of JSON input', '  \n')),
      row('names the token', '"text"', { error: { status: 400, body: '"text"' } }),
      row('is on for strict: 0', 'true', { error: { status: 400 } }, { strict: 0 }),
      row('is on for strict: null', 'true', { error: { status: 400 } }, { strict: null }),
      // body-parser garbles `stack` here, as `$&` means something to String#replace
      row('quotes dollar signs as they are', '"$& $1 $$"', failure('Unexpected token \'"\', ""$& $1 $$"" is not valid JSON', '"$& $1 $$"', {
        title: 'SyntaxError: Unexpected token \'"\', ""$& $1 $$"" is not valid JSON'
      }), {}, { ignore: ['error'] }),
      row('keeps a noncharacter apart from the stand-in', Buffer.from('\uffff\ufffe"a"', 'utf16le'), undefined, {},
        { headers: { 'Content-Type': 'application/json; charset=utf-16le' } }),
      row('keeps a noncharacter after the token apart from the stand-in', Buffer.from('x\uffff\ufffe', 'utf16le'), undefined, {},
        { headers: { 'Content-Type': 'application/json; charset=utf-16le' } })
    ])
  })

  describe('lenient', () => {
    table([
      ...[['true', true], ['1', 1], ['null', null], ['"text"', 'text'], [' {} ', {}]].map(([text, body]) =>
        row(`parses ${text}`, text, { body }, { strict: false })),
      ...['nope', '"', '{"a":', '   ', '\ufeff\ufeff1'].map((text) =>
        row(`refuses ${JSON.stringify(text)}`, text, { error: { status: 400, type: 'entity.parse.failed', constructor: 'SyntaxError' } }, { strict: false }))
    ])
  })

  describe('reviver', () => {
    const reviver = (name, value) => name === 'day' ? new Date(value) : value
    const throwing = (what) => ({ reviver () { throw what() } })
    table([
      row('is given to JSON.parse', '{"day":0}', undefined, { reviver }),
      row('may replace the whole', '{"a":1}', { body: 'all' }, { reviver: (name, value) => name === '' ? 'all' : value }),
      row('works when lenient', '5', { body: 6 }, { strict: false, reviver: (_, value) => value + 1 }),
      row('is ignored if it is no function', '{"a":1}', { body: { a: 1 } }, { reviver: 'no' }),
      row('may throw', '{"a":1}', failure('no', '{"a":1}'), throwing(() => new Error('no'))),
      row('loses the fields of its error', '{"a":1}', failure('no', '{"a":1}', { status: 400 }), throwing(() =>
        Object.assign(new Error('no'), { status: 422, type: 'own.type', extra: 1 }))),
      row('may throw a string', '{"a":1}', failure("Cannot delete property '0' of [object String]", '{"a":1}'), throwing(() => 'no')),
      row('may throw a number', '{"a":1}', { error: { status: 400, type: 'entity.parse.failed' } }, throwing(() => 1)),
      row('may throw null', '{"a":1}', { error: { status: 400, type: 'entity.parse.failed' } }, throwing(() => null)),
      row('may throw undefined', '{"a":1}', { error: { status: 400, type: 'entity.parse.failed' } }, throwing(() => undefined)),
      row('may throw a frozen error', '{"a":1}', { error: { status: 400, type: 'entity.parse.failed' } }, throwing(() => Object.freeze(new Error('no')))),
      row('is not called for an empty body', '', { body: {} }, throwing(() => new Error('no')))
    ])
  })
})
