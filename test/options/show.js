'use strict'

const assert = require('node:assert/strict')
const util = require('node:util')
const oracle = require('body-parser')
const subject = require('fast-body-parser')
const { TYPES } = require('../support/loop')
const schemaOf = require('../support/schema-of')

const OURS = ['read', util.inspect.custom]
const FACTORIES = ['json', 'raw', 'text', 'urlencoded']
const COMMON = { limit: 102400, inflate: true, drainLimit: 64 * 1024 * 1024 }
const FORM = {
  extended: false,
  parameterLimit: 1000,
  depth: 0,
  charsetSentinel: false,
  interpretNumericEntities: false,
  defaultCharset: 'utf-8'
}
const RECORDS = { limit: 100 * 1024 * 1024, record: 1024 * 1024, max: Infinity, onError: 'stop' }

/** The name and the options that console.log shows. */
function shown (parser) {
  const [, name, options] = /^\[Function: (\w+)\] ([^]*)$/.exec(util.inspect(parser, { sorted: true }))
  return { name, options }
}

function assertShows (parser, name, options) {
  assert.deepEqual(shown(parser), { name, options: util.inspect(options, { sorted: true }) })
}

describe('console.log', () => {
  const TYPE_OF = {
    json: { type: 'application/json', strict: true, defaultCharset: 'utf-8' },
    raw: { type: 'application/octet-stream' },
    text: { type: 'text/plain', defaultCharset: 'utf-8' },
    urlencoded: { ...FORM, type: 'application/x-www-form-urlencoded' },
    createParser: { type: 'a/b', charset: 'utf-8' },
    ndjson: { ...RECORDS, type: TYPES, strict: true },
    jsonArray: { ...RECORDS, type: ['application/json', '+json'] }
  }
  const act = () => {}
  const given = {
    buffered: true,
    rawBody: true,
    budget: subject.createBudget({ bytes: 5 }),
    timeout: 5,
    minRate: 7,
    depth: 9,
    cooperative: { slice: 1 },
    onProtoPoisoning: 'error',
    empty: undefined
  }
  const schema = schemaOf((value) => ({ value }))
  const custom = { type: 'a/b', parse: act }
  // [what, parser, options, what is shown beside the defaults]
  const rows = [
    ...[...FACTORIES, 'ndjson', 'jsonArray'].map((name) => [`the defaults of ${name}`, name, undefined, {}]),
    ['options of json as they have an effect', 'json',
      { limit: '1kb', inflate: 0, strict: false, type: ['json', '+json'], verify: act, buffered: false },
      { limit: 1024, strict: false, type: ['json', '+json'], verify: act }],
    ['options of urlencoded as they have an effect', 'urlencoded', { extended: 1, parameterLimit: '5' },
      { extended: true, depth: 32, parameterLimit: 5 }],
    ['the depth of a form that is given as a text', 'urlencoded', { extended: true, depth: '7' },
      { extended: true, depth: 5 }],
    ['a charset that is off', 'createParser', { ...custom, charset: false }, { parse: act, charset: false }],
    ['options that body-parser does not have, also where they wrap the parser', 'json', { ...given, schema },
      { ...given, schema: { vendor: 'test' } }],
    ['no options of other parsers, nor such that there are not', 'raw',
      { strict: false, extended: true, other: 1, parse: act, depth: 5 }, {}],
    ['nothing of what is not an object', 'text', 'limit', {}]
  ]
  for (const [what, name, options, expected] of rows) {
    it(`shows ${what}`, () => assertShows(subject[name](options),
      name === 'createParser' ? 'customParser' : `${name}Parser`, { ...COMMON, ...TYPE_OF[name], ...expected }))
  }

  it('shows lists of types whatever the depth that is asked for, and the rules of files in colours', () => {
    const inspect = (parser, format) => util.inspect(parser, { breakLength: Infinity, ...format })
    for (const depth of [null, 2, Infinity]) {
      assert.match(inspect(subject.json({ type: ['a/b'] }), { depth }), /type: \[ 'a\/b' \]/)
    }
    const files = { a: { types: ['image/png'] } }
    assert.ok(inspect(subject.multipart({ files }), { colors: true }).includes(util.inspect('image/png',
      { colors: true })))
  })

  it('shows what an app has put on the parser', () => {
    assertShows(Object.assign(subject.raw(), { own: 1 }), 'rawParser', { ...COMMON, ...TYPE_OF.raw, own: 1 })
  })

  it('shows the name alone deep inside of other objects', () => {
    assert.equal(util.inspect({ a: subject.json() }, { depth: -1 }), '[Object]')
    assert.equal(util.inspect({ a: subject.json() }, { depth: 0 }), '{ a: [Function: jsonParser] }')
    assert.match(util.inspect([subject.json()], { depth: 1 }),
      /^\[\n {2}\[Function: jsonParser\] \{\n {4}limit: 102400,\n/)
  })
})

describe('a parser', () => {
  for (const name of FACTORIES) {
    it(`of ${name} has the properties of body-parser's, and two of ours that are not enumerable`, () => {
      for (const options of [{}, { extended: true }]) {
        const [ours, theirs] = [subject[name](options), oracle[name](options)]
        assert.deepEqual(Reflect.ownKeys(ours).filter((key) => !OURS.includes(key)), Reflect.ownKeys(theirs))
        for (const key of ['length', 'name', 'prototype']) {
          const [our, their] = [ours, theirs].map((parser) => Object.getOwnPropertyDescriptor(parser, key))
          assert.deepEqual(our, { ...their, ...key === 'prototype' ? { value: ours.prototype } : {} })
        }
        for (const key of OURS) assert.equal(Object.prototype.propertyIsEnumerable.call(ours, key), false)
        assert.deepEqual({ ...ours }, { ...theirs })
        assert.equal(Object.getPrototypeOf(ours), Function.prototype)
        assert.equal(JSON.stringify([ours]), JSON.stringify([theirs]))
        assert.equal(util.inspect(ours, { customInspect: false }), util.inspect(theirs))
      }
    })
  }

  it('has its name where options wrap it, and in a stack', () => {
    const schema = schemaOf((value) => ({ value }))
    for (const options of [{}, { buffered: true }, { empty: {} }, { schema }, { cooperative: true }]) {
      let stack
      const parser = subject.json({ ...options, type () { stack = new Error().stack } })
      const req = {
        headers: { 'content-type': 'a/b', 'content-length': '1' },
        complete: false,
        readable: true,
        socket: { readable: true },
        on () {}
      }
      parser(req, {}, () => {})
      assert.equal(parser.name, 'jsonParser')
      assert.match(stack, /^ +at jsonParser /m)
    }
  })
})
