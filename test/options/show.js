'use strict'

const assert = require('node:assert/strict')
const util = require('node:util')
const oracle = require('body-parser')
const subject = require('fast-body-parser')

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

/** The name and the options that console.log shows. */
function shown (parser) {
  const [, name, options] = /^\[Function: (\w+)\] ([^]*)$/.exec(util.inspect(parser, { sorted: true }))
  return { name, options }
}

function assertShows (parser, name, options) {
  assert.deepEqual(shown(parser), { name, options: util.inspect(options, { sorted: true }) })
}

describe('console.log', () => {
  it('shows the options of a parser that have a default', () => {
    assertShows(subject.json(), 'jsonParser', {
      ...COMMON,
      type: 'application/json',
      strict: true,
      defaultCharset: 'utf-8'
    })
    assertShows(subject.raw(), 'rawParser', { ...COMMON, type: 'application/octet-stream' })
    assertShows(subject.text(), 'textParser', { ...COMMON, type: 'text/plain', defaultCharset: 'utf-8' })
    assertShows(subject.urlencoded(), 'urlencodedParser', {
      ...COMMON,
      ...FORM,
      type: 'application/x-www-form-urlencoded'
    })
  })

  it('shows options as they have an effect, not as they were given', () => {
    const parse = () => {}
    const verify = () => {}
    assertShows(subject.json({
      limit: '1kb',
      inflate: 0,
      strict: false,
      type: ['json', '+json'],
      verify,
      buffered: false
    }),
    'jsonParser',
    { ...COMMON, limit: 1024, type: ['json', '+json'], strict: false, defaultCharset: 'utf-8', verify })
    assertShows(subject.text({ defaultCharset: 'koi8-r', drainLimit: 1 }), 'textParser', {
      ...COMMON,
      type: 'text/plain',
      defaultCharset: 'koi8-r',
      drainLimit: 1
    })
    assertShows(subject.urlencoded({ extended: 1, parameterLimit: '5' }), 'urlencodedParser',
      { ...COMMON, ...FORM, type: 'application/x-www-form-urlencoded', extended: true, depth: 32, parameterLimit: 5 })
    assertShows(subject.createParser({ type: 'a/b', parse }), 'customParser', {
      ...COMMON,
      type: 'a/b',
      charset: 'utf-8',
      parse
    })
    assertShows(subject.createParser({ type: 'a/b', charset: false, parse }), 'customParser', {
      ...COMMON,
      type: 'a/b',
      charset: false,
      parse
    })
  })

  it('shows the options that body-parser does not have if they are given, also where they wrap the parser', () => {
    const budget = subject.createBudget({ bytes: 5 })
    const given = {
      buffered: true,
      rawBody: true,
      budget,
      timeout: 5,
      minRate: 7,
      depth: 9,
      cooperative: { slice: 1 },
      onProtoPoisoning: 'error',
      empty: undefined
    }
    const schema = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } }
    assertShows(subject.json({ ...given, schema }), 'jsonParser',
      {
        ...COMMON,
        type: 'application/json',
        strict: true,
        defaultCharset: 'utf-8',
        ...given,
        schema: { vendor: 'test' }
      })
    const act = () => {}
    for (const own of [{ reviver: act }, { parse: act }, { onConstructorPoisoning: 'remove' }]) {
      assertShows(subject.json(own), 'jsonParser', {
        ...COMMON,
        type: 'application/json',
        strict: true,
        defaultCharset: 'utf-8',
        ...own
      })
    }
    assertShows(subject.urlencoded({ parse: act }), 'urlencodedParser', {
      ...COMMON,
      ...FORM,
      type: 'application/x-www-form-urlencoded',
      parse: act
    })
    const qs = { allowDots: true }
    assertShows(subject.urlencoded({ extended: true, qs }), 'urlencodedParser', {
      ...COMMON,
      ...FORM,
      type: 'application/x-www-form-urlencoded',
      extended: true,
      depth: 32,
      qs
    })
  })

  it('shows the depth that a form may have, where it is given as a text', () => {
    const options = { ...COMMON, ...FORM, type: 'application/x-www-form-urlencoded', extended: true, depth: 5 }
    assertShows(subject.urlencoded({ extended: true, depth: '7' }), 'urlencodedParser', options)
  })

  it('shows lists of types whatever the depth that is asked for, and the rules of files in colours', () => {
    const inspect = (parser, format) => util.inspect(parser, { breakLength: Infinity, ...format })
    for (const depth of [null, 2, Infinity]) {
      assert.match(inspect(subject.json({ type: ['a/b'] }), { depth }), /type: \[ 'a\/b' \]/)
    }
    const files = { a: { types: ['image/png'] } }
    assert.ok(inspect(subject.multipart({ files }), { colors: true }).includes(util.inspect('image/png',
      { colors: true })))
  })

  it('shows neither options of other parsers nor such that there are not', () => {
    assertShows(subject.raw({ strict: false, extended: true, other: 1, parse () {}, depth: 5 }), 'rawParser',
      { ...COMMON, type: 'application/octet-stream' })
    assertShows(subject.text('limit'), 'textParser', { ...COMMON, type: 'text/plain', defaultCharset: 'utf-8' })
  })

  it('shows what an app has put on the parser', () => {
    assertShows(Object.assign(subject.raw(), { own: 1 }), 'rawParser', {
      ...COMMON,
      type: 'application/octet-stream',
      own: 1
    })
  })

  it('shows the name alone deep inside of other objects', () => {
    assert.equal(util.inspect({ a: subject.json() }, { depth: -1 }), '[Object]')
    assert.equal(util.inspect({ a: subject.json() }, { depth: 0 }), '{ a: [Function: jsonParser] }')
    assert.match(util.inspect([subject.json()], { depth: 1 }),
      /^\[\n {2}\[Function: jsonParser\] \{\n {4}limit: 102400,\n/)
  })

  it('ends for a parser that refers to itself', () => {
    const verify = () => {}
    const parser = verify.parser = subject.json({ verify })
    parser.self = parser
    for (const depth of [null, 1, 2, Infinity]) {
      const text = util.inspect(parser, { depth })
      assert.match(text, /self: \[Function: jsonParser\]/)
      assert.ok(text.length < 2000, `${text.length} characters`)
    }
  })

  it('has colours where others have them', () => {
    const coloured = util.inspect(subject.json(), { colors: true })
    assert.ok(coloured.startsWith(util.inspect(oracle.json(), { colors: true })))
    assert.ok(coloured.includes(util.inspect(102400, { colors: true })))
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
    const schema = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } }
    const make = {
      jsonParser: [{}, { buffered: true }, { empty: {} }, { schema }, { cooperative: true }].map((options) => (more) =>
        subject.json({ ...options, ...more })),
      rawParser: [subject.raw],
      textParser: [subject.text],
      urlencodedParser: [subject.urlencoded],
      customParser: [(more) => subject.createParser({ parse () {}, ...more })]
    }
    for (const [name, creates] of Object.entries(make)) {
      for (const create of creates) {
        let stack
        const parser = create({ type () { stack = new Error().stack } })
        const req = {
          headers: { 'content-type': 'a/b', 'content-length': '1' },
          complete: false,
          readable: true,
          socket: { readable: true },
          on () {}
        }
        parser(req, {}, () => {})
        assert.equal(parser.name, name)
        assert.match(stack, new RegExp(`^ +at ${name} `, 'm'))
      }
    }
  })

  it('tells in a REPL where its options are described', () => {
    for (const name of FACTORIES) {
      const [line] = subject[name].toString().split('\n')
      assert.equal(line, `function ${name} (options) { // see index.d.ts; console.log(${name}()) shows the defaults`)
    }
    assert.match(subject.createParser.toString(), /^function createParser \(options\) \{ \/\/ see index\.d\.ts\n/)
  })
})
