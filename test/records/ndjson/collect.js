'use strict'

// Errors that a loop gets as items: how many, and what each of them takes.

const assert = require('node:assert/strict')
const { inspect } = require('node:util')
const { ndjson } = require('../../../')
const { createLines } = require('../../../lib/records/ndjson/line-records')
const loadCopy = require('../../support/load-copy')
const { loop, shown } = require('../../support/loop')
const schemaOf = require('../../support/schema-of')

const parses = (text) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether a line is given to JSON.parse: it is checked before, behind a wrong one. */
function isGiven (line) {
  const given = []
  const parse = (text) => {
    given.push(text)
    return JSON.parse(text)
  }
  const settings = { depth: Infinity, onError: 'collect', record: Infinity, strict: false }
  const lines = createLines({ decode: String, isSequence: false }, { parse, settings })
  lines.write(Buffer.from(`wrong\n${line}\n`))
  for (const count of [1, 2]) {
    assert.ok(lines.find(), `line ${count} of ${line}`)
    lines.take()
  }
  return given.length === 2
}

const schema = schemaOf(({ bad }) => bad ? { issues: [{ message: 'bad', path: [] }] } : { value: 1 })
const cut = { headers: { 'Content-Type': 'application/json-seq' } }

// [what, record, options, error, message, name, of the request]
const rows = [
  ['no container', 'x', {}, { status: 400, type: 'entity.parse.failed', body: 'x' }, /^Unexpected token .*x/,
    'SyntaxError'],
  ['a scalar', '12', {}, { status: 400, type: 'entity.parse.failed', body: '12' }, /^Unexpected (token|number) .*1/,
    'SyntaxError'],
  ['no JSON', '[x]', {}, { status: 400, type: 'entity.parse.failed', body: '[x]' }, /^Unexpected token .*x/,
    'SyntaxError'],
  ['no JSON, with escapes', '{"\\n":}', {}, { status: 400, type: 'entity.parse.failed', body: '{"\\n":}' },
    /^Unexpected token .*}/, 'SyntaxError'],
  ['long and no JSON', `["${'x'.repeat(2000)}"`, {},
    { status: 400, type: 'entity.parse.failed', body: `["${'x'.repeat(2000)}"` }, /^(Expected|Unexpected) /,
    'SyntaxError'],
  ['too large', '[1,2]', { record: 4 }, { status: 413, type: 'entity.too.large', limit: 4 },
    /^record too large \(line [124]\): at most 4 bytes$/, 'PayloadTooLargeError'],
  ['too deep', '[[]]', { depth: 1 }, { status: 400, type: 'entity.too.deep', body: '[[]]' },
    /^the JSON exceeded the depth$/, 'BadRequestError'],
  ['too deep and no JSON', '[[x]]', { depth: 1 }, { status: 400, type: 'entity.too.deep', body: '[[x]]' },
    /^the JSON exceeded the depth$/, 'BadRequestError'],
  ['refused by a schema', '{"bad":1}', { schema }, { status: 422, type: 'entity.invalid', body: '{"bad":1}' },
    /^request entity invalid: bad$/, 'UnprocessableEntityError'],
  ['poisoned', '{"__proto__":1}', { onProtoPoisoning: 'error' },
    { status: 400, type: 'entity.parse.failed', body: '{"__proto__":1}' },
    /^Object contains forbidden prototype property$/, 'SyntaxError'],
  ['refused by a reviver', '[1]', { reviver () { throw new RangeError('no') } },
    { status: 400, type: 'entity.parse.failed', body: '[1]' }, /^no$/, 'RangeError'],
  ['cut off in a sequence', '\x1e1', { strict: false }, { status: 400, type: 'entity.parse.failed', body: '1' },
    /^the JSON text may be cut off$/, 'SyntaxError', cut]
]

describe("onError: 'collect'", () => {
  for (const [what, record, options, fields, message, name, request] of rows) {
    it(`gives the same error for each record that is ${what}, and right ones between them`, async () => {
      const right = request ? '\x1e[]\n' : '[]\n'
      const lines = [record, record, right.trimEnd(), record].map((line) => request ? line : `${line}\n`)
      const isReviver = 'reviver' in options
      const { items } = await loop(ndjson({ onError: 'collect', ...options }), lines.join(''), request)
      const wrong = items.filter(({ error }) => error !== undefined)
      assert.deepEqual([items.length, wrong.length], [4, isReviver ? 4 : 3])
      for (const { line, error } of items.toSpliced(2, 1)) {
        const { offset, ...seen } = shown(error)
        assert.deepEqual(seen, { ...fields, line })
        assert.equal(offset, lines.slice(0, line - 1).join('').length + (request ? 1 : 0))
        assert.match(error.message, message)
        assert.deepEqual([error.name, error.expose, error.statusCode, error instanceof Error],
          [name, true, error.status, true])
        assert.equal(error instanceof SyntaxError, name === 'SyntaxError')
        assert.ok(error.stack.startsWith(`${name}: ${error.message}`))
        assert.match(inspect(error), new RegExp(`^(\\[(Error \\[)?)?${name}\\]?: `))
        assert.ok(!Object.keys(error).includes('stack'))
      }
    })
  }

  it('gives the rejection of a promise that a reviver has made, in front of a schema', async () => {
    const reviver = (key, value) => key === '' && value.late ? Promise.reject(new RangeError('no')) : value
    const { items } = await loop(ndjson({ onError: 'collect', schema, reviver }), '{"late":1}\n{}\n')
    const [{ line, error }, right] = items
    assert.deepEqual([line, error.name, error.message, error.status, error.body, error.line],
      [1, 'RangeError', 'no', 400, '{"late":1}', 1])
    assert.deepEqual([items.length, right], [2, { line: 2, value: 1 }])
  })

  it('makes no message of an error that nobody reads', async () => {
    let count = 0
    const issues = [{ get message () { return `no ${++count}` } }]
    const refusing = schemaOf(() => ({ issues }))
    const { items } = await loop(ndjson({ onError: 'collect', schema: refusing }), '[]\n'.repeat(100))
    assert.deepEqual([items.length, count], [100, 0])
    assert.equal(items[99].error.message, 'request entity invalid: no 1')
  })

  it('gives errors that the app can change, and leaves Error as it was', async () => {
    const { stackTraceLimit } = Error
    const { items: [{ error }] } = await loop(ndjson({ onError: 'collect' }), '[x]')
    Object.assign(error, { name: 'Own', message: 'own', stack: 'nowhere' })
    assert.deepEqual([error.name, error.message, error.stack], ['Own', 'own', 'nowhere'])
    assert.deepEqual(Object.keys(error), ['expose', 'statusCode', 'status', 'type', 'body', 'line', 'offset'])
    assert.equal(Error.stackTraceLimit, stackTraceLimit)
  })

  it('works where Error is frozen', async () => {
    const property = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')
    Object.defineProperty(Error, 'stackTraceLimit', { ...property, writable: false })
    try {
      const { items } = await loop(ndjson({ onError: 'collect' }), '[x]\n[1]')
      assert.deepEqual([items[0].error.type, items[1].value], ['entity.parse.failed', [1]])
    } finally {
      Object.defineProperty(Error, 'stackTraceLimit', property)
    }
  })

  it('gives errors that problemDetails answers, also that of another copy of the package', async () => {
    for (const { problemDetails } of [require('../../../'), loadCopy()()]) {
      const answer = problemDetails()
      let body
      const res = { setHeader () {}, removeHeader () {}, end (text) { body = JSON.parse(text) } }
      const { items: [{ error }] } = await loop(ndjson({ onError: 'collect' }), 'x')
      answer(error, { headers: {} }, res, assert.fail)
      assert.deepEqual([body.status, body.code, body.detail], [400, 'entity.parse.failed', error.message])
    }
  })

  for (const record of ['x', '[x', '[[[]]]', '["larger than others"]']) {
    it(`ends the loop after maxErrors records such as ${record}`, async () => {
      const text = `[]\n${record}\n`.repeat(6)
      for (const size of [undefined, 4]) {
        const { items, error } = await loop(ndjson({ onError: 'collect', maxErrors: 4, depth: 2, record: 10 }), text,
          { size })
        assert.deepEqual([items.flat().length, error.status, error.type, error.limit, error.line],
          [9, 400, 'records.errors.too.many', 4, 10])
        assert.equal(error.message, 'too many wrong records: this is one more than 4')
      }
    })
  }

  it('ends the loop after a thousand by default, and with the first one if there may be none', async () => {
    for (const [options, count] of [[{}, 1000], [{ maxErrors: 0 }, 0], [{ maxErrors: Infinity }, 2000]]) {
      const { items, error } = await loop(ndjson({ onError: 'collect', ...options }), 'x\n'.repeat(2000))
      assert.deepEqual([items.length, error?.type], [count, count === 2000 ? undefined : 'records.errors.too.many'])
    }
  })

  it('tells by itself what JSON.parse takes', () => {
    const texts = ['x', '1', ' 1 ', '01', '-0.5e+1', 'nul', 'true', '"a', '"a"', '"\\x"', '"\\u00e9\\n"', '"\t"', '[',
      '[ ]', '[1,]', '[1 2]', '[1,2]', '{"a":', '{"a":1,}', '{ "a" : 1 , "b" : [ ] }', '{"a":1}}', '\u00a01']
    for (const text of texts) assert.equal(isGiven(text), parses(text), JSON.stringify(text))
  })
})
