'use strict'

const assert = require('node:assert/strict')
const { PassThrough } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const subject = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const parseInSlices = require('fast-body-parser/json-slices')
const oracle = require('body-parser')
const { warnOfUnknown } = require('../../lib/core/checks')
const sharedTables = require('../../lib/core/shared-tables')
const loadAgain = require('../support/load-again')
const loadCopy = require('../support/load-copy')
const exchange = require('../support/exchange')
const { messageOf } = require('../support/lanes')
const { typed } = require('../support/outcome')
const { withOwnModules } = require('../support/own-modules')

const FACTORIES = ['json', 'raw', 'text', 'urlencoded']
/** Options of qs, of other parsers, and words. */
const OTHERS = ('allowDots arrayLimit comma delimiter ignoreQueryPrefix parseArrays plainObjects strictDepth ' +
  'defer encoding keepExtensions multiples multipart onerror uploadDir ' +
  'a ab env host id log logger max mode name on path port size time url').split(' ')
const KNOWN = new Set(['limit', 'parameterLimit', 'qs', 'strict', 'type'])

const emit = process.emitWarning
let warnings

const GET = messageOf({ method: 'GET' })

/** Of a copy of this package that has warned of nothing, and shares the tables of the process. */
const freshRefuser = () => withOwnModules(() => {
  Object.defineProperty(process, Symbol.for('fast-body-parser.marks.1'), { configurable: true, value: sharedTables })
  return require('../..').refuseUnparsed()
})

function noteWarnings () {
  warnings = []
  process.emitWarning = (message, { code }) => warnings.push([message, code])
}

function stopNoting () {
  process.emitWarning = emit
}

describe('a misspelt option', () => {
  beforeEach(noteWarnings)
  afterEach(stopNoting)

  const messageOf = (name, meant) => `option ${name} is unknown and has no effect: did you mean ${meant}?`

  for (const [create, name, meant] of [
    [subject.json, 'stirct', 'strict'], [subject.json, 'strictt', 'strict'], [subject.json, 'revivre', 'reviver'],
    [subject.text, 'Limit', 'limit'], [subject.raw, 'verfy', 'verify'], [subject.raw, 'drain_limit', 'drainLimit'],
    [subject.urlencoded, 'extend', 'extended'], [subject.urlencoded, 'defaultCharest', 'defaultCharset'],
    [(options) => subject.createBudget({ bytes: 1, ...options }), 'wiat', 'wait'],
    [(options) => parseInSlices('[]', options), 'depht', 'depth']
  ]) {
    it(`${name} warns, with the name ${meant}, once in a process`, () => {
      for (let i = 0; i < 2; i++) create({ [name]: undefined })
      assert.deepEqual(warnings, [[messageOf(name, meant), 'FAST_BODY_PARSER_OPTION']])
    })
  }

  it('is found among others, and each of them is', () => {
    warnOfUnknown({ strcit: 1, limit: 1, other: 1, typ: 1 }, KNOWN)
    assert.deepEqual(warnings.map(([message]) => message), [messageOf('strcit', 'strict'), messageOf('typ', 'type')])
  })

  it('is not another name: one of another parser that gets the same object, of other packages, or none', async () => {
    const ofOtherParsers = {
      charsetSentinel: false,
      depth: 5,
      extended: true,
      interpretNumericEntities: false,
      parameterLimit: 5,
      strict: false
    }
    const shared = { ...Object.fromEntries(OTHERS.map((name) => [name, 1])), ...ofOtherParsers, ['x'.repeat(1e6)]: 1 }
    for (const name of FACTORIES) {
      subject[name](shared)
      subject[name](Object.create({ sttrict: true }))
      subject[name](Object.defineProperty({}, 'striict', { value: 1 }))
      subject[name]({ [Symbol('strrict')]: 1 })
    }
    await turn()
    assert.deepEqual(warnings, [])
  })

  it('needs no process, which some runtimes lack, and does not throw where a warning throws', () => {
    for (const emitWarning of [undefined, () => { throw new Error('of the app') }]) {
      process.emitWarning = emitWarning
      warnOfUnknown({ [emitWarning ? 'limti' : 'tpe']: 1 }, KNOWN)
    }
    assert.deepEqual(warnings, [])
  })

  it('calls no getters', () => {
    subject.json({ get slimit () { throw new Error('called') } })
    assert.equal(warnings.length, 1)
  })
})

describe('an option of another parser', () => {
  let copy
  before(() => { copy = loadCopy('2.5.0')() }) // which has warned of nothing
  beforeEach(noteWarnings)
  afterEach(stopNoting)

  const own = (options) => copy.createParser({ type: 'a/b', parse () {}, ...options })
  /** @type {[option: string, make: (options: object) => Function, expected: string][]} */
  const rows = [
    ['extended', (options) => copy.json(options), 'in json(): it belongs to urlencoded, multipart'],
    ['parameterLimit', (options) => copy.raw(options), 'in raw(): it belongs to urlencoded'],
    ['strict', (options) => copy.urlencoded(options), 'in urlencoded(): it belongs to json, ndjson'],
    ['charset', (options) => copy.text(options), 'in text(): it belongs to createParser'],
    ['empty', own, 'in createParser(): it belongs to json']
  ]
  for (const [option, make, expected] of rows) {
    it(`warns once, with the parsers that have it, at the end of the tick: ${option}`, async () => {
      for (let i = 0; i < 2; i++) make({ limit: '1mb', [option]: true })
      assert.deepEqual(warnings, [])
      await turn()
      assert.deepEqual(warnings, [[`option ${option} has no effect ${expected}`, 'FAST_BODY_PARSER_OPTION']])
    })
  }

  it('does not warn if one of these gets the same object in this tick, before or afterwards', async () => {
    for (const parsers of [['text', 'urlencoded'], ['urlencoded', 'text']]) {
      const shared = { extended: true }
      for (const name of parsers) copy[name](shared)
    }
    await turn()
    assert.deepEqual(warnings, [])
  })
})

describe('an odd size', () => {
  beforeEach(noteWarnings)
  afterEach(stopNoting)

  it('warns for a hundred of them at most', () => {
    const { warnOfSize } = loadAgain(require.resolve('../../lib/core/warnings')) // which has warned of none
    for (let size = 0; size < 150; size++) warnOfSize('limit', `${size}m`, size)
    assert.equal(warnings.length, 100)
  })
})

describe('a request', () => {
  const WARNINGS = require.resolve('../../lib/core/warnings')
  const original = require.cache[WARNINGS]
  const message = messageOf({ headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' })
  const unhandled = []
  const noteRejection = (reason) => unhandled.push(reason)

  beforeEach(() => {
    noteWarnings()
    delete require.cache[WARNINGS] // another copy warns again
    process.on('unhandledRejection', noteRejection)
  })
  afterEach(() => {
    stopNoting()
    require.cache[WARNINGS] = original
    process.off('unhandledRejection', noteRejection)
    assert.deepEqual(unhandled.splice(0), [])
  })

  for (const [what, type] of [
    ['resolves', async () => false],
    ['rejects', async () => { throw new Error('unhandled') }]
  ]) {
    it(`warns once of a type that ${what}, and is parsed as in body-parser`, async () => {
      const parser = subject.json({ type })
      for (let i = 0; i < 2; i++) {
        const { error, body } = await exchange(parser, message)
        assert.deepEqual([error, body], ['none', typed({ a: 1 })])
      }
      assert.deepEqual((await exchange(oracle.json({ type: async () => false }), message)).body, typed({ a: 1 }))
      const warning = 'option type returned a promise, which counts as true: the function must not be asynchronous'
      assert.deepEqual(warnings, [[warning, 'FAST_BODY_PARSER_ASYNC']])
    })
  }

  it('warns of a rawBody that is asynchronous', async () => {
    const { error } = await exchange(subject.json({ rawBody: async () => { throw new Error('unhandled') } }), message)
    assert.deepEqual([error, warnings.length], ['none', 1])
    assert.match(warnings[0][0], /^option rawBody returned a promise/)
  })

  it('warns of such a type on /web, too', async () => {
    const { json } = require('../../lib/web')
    await json({ type: async () => false })(new Request('http://localhost/', { method: 'POST', body: '{}' }))
    assert.equal(warnings.length, 1)
    assert.match(warnings[0][0], /^option type returned a promise/)
  })

  for (const type of [() => true, () => 'yes', () => ({ then () {} })]) {
    it(`does not warn of the type ${type}`, async () => {
      const { error } = await exchange(subject.json({ type }), message)
      assert.deepEqual([error, warnings], ['none', []])
    })
  }

  it('warns once where refuseUnparsed comes before the parsers', async () => {
    for (const [refuse, parser] of [
      [subject.refuseUnparsed(), subject.json()], [freshRefuser(), subject.json({ empty: {} })],
      [freshRefuser(), multer().none()]
    ]) {
      const ask = (message) =>
        exchange((req, res, next) => refuse(req, res, (error) => error ? next(error) : parser(req, res, next)), message)
      assert.equal((await ask(GET)).error, 'none')
      assert.equal((await ask(message)).error.status, 415)
      assert.deepEqual(warnings, [])
      for (let i = 0; i < 2; i++) assert.equal((await ask(GET)).error, 'none')
      const warning = 'refuseUnparsed() comes before a parser, and has refused content that no parser had seen: ' +
        'put it behind the parsers'
      assert.deepEqual(warnings, [[warning, 'FAST_BODY_PARSER_ORDER']])
      warnings.length = 0
    }
  })

  it('does not warn where refuseUnparsed comes after parsers, be it in a wrapper that skips some methods', async () => {
    const refuse = freshRefuser()
    const unlessGet = (parser) => (req, res, next) => req.method === 'GET' ? next() : parser(req, res, next)
    const ask = (parser, message) =>
      exchange((req, res, next) => unlessGet(parser)(req, res, () => refuse(req, res, next)), message)
    const getWithBody = { ...message, head: message.head.replace('POST', 'GET') }
    const [json, text] = [subject.json(), subject.text()]
    for (const [parser, sent, status] of [
      [json, getWithBody, 415], [json, GET, undefined], [json, message, undefined], [text, message, 415],
      [json, getWithBody, 415], [json, GET, undefined]
    ]) assert.equal((await ask(parser, sent)).error.status, status)
    assert.deepEqual(warnings, [])
  })

  it('does not warn of the next request in the same object', () => {
    const refuse = freshRefuser()
    const unread = Object.assign(new PassThrough(), { headers: { 'content-length': '1' } })
    refuse(unread, {}, () => {})
    const pooled = { headers: {} }
    refuse(pooled, {}, () => {})
    subject.json({ buffered: true })(pooled, {}, () => {})
    assert.deepEqual(warnings, [])
  })
})
