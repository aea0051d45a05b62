'use strict'

const { table } = require('../support/table')

const JSON_TYPE = { 'Content-Type': 'application/json' }
const large = JSON.stringify(Array(90).fill('ü€😀'.repeat(130)))

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
      row('parses a chunked body', '{"user":"tobi"}', { body: { user: 'tobi' } }, {}, { chunked: true }),
      row('makes {} of an empty body', '', { body: {} }),
      row('makes {} of an empty chunked body', '', { body: {} }, {}, { chunked: true }),
      row('makes {} of an empty body with strict: false', '', { body: {} }, { strict: false }),
      row('parses an object after white space', ' \t\r\n {"a":1} \n', { body: { a: 1 } }),
      row('parses an array after white space', ' \t\r\n [1]', { body: [1] }),
      row('keeps __proto__ as an own property', '{"__proto__":{"x":1}}', { body: JSON.parse('{"__proto__":{"x":1}}') }),
      row('keeps the last of a repeated key', '{"a":1,"a":2}', { body: { a: 2 } }),
      row('keeps characters whole over chunks', '{"name":"論 € é 😀"}', { body: { name: '論 € é 😀' } }),
      row('replaces invalid UTF-8', Buffer.from('7b2261223a22ff22c37d', 'hex'), undefined),
      row('parses the body of a GET', '{"a":1}', { body: { a: 1 } }, {}, { method: 'GET' }),
      row('parses the body of a DELETE', '{"a":1}', { body: { a: 1 } }, {}, { method: 'DELETE' }),
      row('parses a large body', large, undefined, { limit: '1mb' }),
      row('parses a large chunked body', large, undefined, { limit: '1mb' }, { chunked: true })
    ])
  })

  describe('option strict', () => {
    table([
      ...['true', '1', 'null', '"text"', '  false', 'nope', '#', '"# and # again"', `"${'long '.repeat(30)}"`,
        '{', '[', '{"a":1', '[1,]', '{"a":1}}', '{a:1}', '\u00a0{}', '\u000b{}', '\f[]', '\0', '😀',
        '\n\n   tru', '\ufeff\ufeff{}', 'a\u009f\u009e'
      ].map((text) => row(`refuses ${JSON.stringify(text)}`, text,
        { error: { status: 400, type: 'entity.parse.failed', constructor: 'SyntaxError' } })),
      row('refuses white space alone', '  \n', failure('Unexpected end of JSON input', '  \n')),
      row('refuses a string, and has the text in the error', '"text"', { error: { status: 400, body: '"text"' } }),
      // body-parser garbles `stack` here, as `$&` means something to String#replace
      row('quotes dollar signs literally in the message', '"$& $1 $$"',
        failure('Unexpected token \'"\', ""$& $1 $$"" is not valid JSON', '"$& $1 $$"', {
          title: 'SyntaxError: Unexpected token \'"\', ""$& $1 $$"" is not valid JSON'
        }), {}, { ignore: ['error'] }),
      row('quotes a noncharacter before the token literally in the message', Buffer.from('\uffff\ufffe"a"', 'utf16le'),
        undefined, {},
        { headers: { 'Content-Type': 'application/json; charset=utf-16le' } }),
      row('quotes a noncharacter after the token literally in the message', Buffer.from('x\uffff\ufffe', 'utf16le'),
        undefined, {},
        { headers: { 'Content-Type': 'application/json; charset=utf-16le' } })
    ])
  })

  describe('option strict: false', () => {
    table([
      ...[['true', true], ['1', 1], ['null', null], ['"text"', 'text'], [' {} ', {}]].map(([text, body]) =>
        row(`parses ${text}`, text, { body }, { strict: false })),
      ...['nope', '"', '{"a":', '   ', '\ufeff\ufeff1'].map((text) =>
        row(`refuses ${JSON.stringify(text)}`, text,
          { error: { status: 400, type: 'entity.parse.failed', constructor: 'SyntaxError' } }, { strict: false }))
    ])
  })

  describe('option reviver', () => {
    const reviver = (name, value) => name === 'day' ? new Date(value) : value
    const throwing = (what) => ({ reviver () { throw what() } })
    table([
      row('is passed to JSON.parse', '{"day":0}', undefined, { reviver }),
      row('may replace the whole body', '{"a":1}', { body: 'all' },
        { reviver: (name, value) => name === '' ? 'all' : value }),
      row('is called with strict: false', '5', { body: 6 }, { strict: false, reviver: (_, value) => value + 1 }),
      row('is ignored if it is not a function', '{"a":1}', { body: { a: 1 } }, { reviver: 'no' }),
      row('may throw an error', '{"a":1}', failure('no', '{"a":1}'), throwing(() => new Error('no'))),
      row('may throw an error, which loses its other fields', '{"a":1}', failure('no', '{"a":1}', { status: 400 }),
        throwing(() =>
          Object.assign(new Error('no'), { status: 422, type: 'own.type', extra: 1 }))),
      row('may throw a string', '{"a":1}', failure("Cannot delete property '0' of [object String]", '{"a":1}'),
        throwing(() => 'no')),
      row('may throw undefined', '{"a":1}', { error: { status: 400, type: 'entity.parse.failed' } },
        throwing(() => undefined)),
      row('may throw a frozen error', '{"a":1}', { error: { status: 400, type: 'entity.parse.failed' } },
        throwing(() => Object.freeze(new Error('no')))),
      row('is not called for an empty body', '', { body: {} }, throwing(() => new Error('no')))
    ])
  })
})
