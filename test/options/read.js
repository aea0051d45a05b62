'use strict'

// What all parsers have in common when they read their options.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const subject = require('fast-body-parser')
const { extend, readOptions } = require('../../lib/options/read-options')
const { ROWS: rows, STREAMS } = require('../../lib/options/table')
const VALUES = require('../support/option-values')
const within = require('../support/within')

const PARSERS = ['json', 'raw', 'text', 'urlencoded', 'custom']
const REQUIRED = { custom: { type: 'a/b', parse: String } }

/** What an option of a parser cannot be combined with. */
const EXCLUDED = [
  ['json', 'onProtoPoisoning', ['reviver']],
  ['json', 'onConstructorPoisoning', ['reviver']],
  ['json', 'parse', ['depth', 'onProtoPoisoning', 'onConstructorPoisoning']],
  ['json', 'cooperative', ['parse', 'reviver']],
  ['ndjson', 'onProtoPoisoning', ['reviver']],
  ['ndjson', 'onConstructorPoisoning', ['reviver']],
  ['jsonArray', 'onProtoPoisoning', ['reviver']],
  ['jsonArray', 'onConstructorPoisoning', ['reviver']],
  ['urlencoded', 'parse', ['charsetSentinel', 'depth', 'interpretNumericEntities', 'qs']]
]

const make = (name, options) =>
  name === 'custom' ? subject.createParser({ ...REQUIRED.custom, ...options }) : subject[name](options)

describe('options', () => {
  /** Warnings are given once: another copy gives them again. */
  beforeEach(() => { delete require.cache[require.resolve('../../lib/core/warnings')] })

  for (const name of PARSERS) {
    it(`of ${name} are each read once, when the parser is made`, () => {
      const seen = []
      const options = new Proxy(REQUIRED[name] ?? {}, { get (target, name) { seen.push(name); return target[name] } })
      const parser = name === 'custom' ? subject.createParser(options) : subject[name](options)
      assert.deepEqual(seen.filter((name) => name !== 'pipe'),
        rows.filter(({ parsers }) => parsers.includes(name)).map((row) => row.name))
      const count = seen.length
      assert.equal(new Set(seen).size, count)
      parser({ headers: {}, complete: false, socket: { readable: true } }, {}, () => {})
      assert.equal(seen.length, count)
    })
  }

  it('are read as they are given, and beside those that are not', () => {
    const verify = () => {}
    const plain = { buffered: true, inflate: false, type: ['x'], verify }
    const sizes = { drainLimit: '1mb', limit: '1.5kb', minRate: '1kb' }
    const { given, ...settings } = readOptions('raw', { ...plain, ...sizes })
    const others = { budget: null, contentDigest: null, rawBody: false, schema: null, timeout: Infinity }
    assert.deepEqual(settings, { ...others, ...plain, drainLimit: 1024 ** 2, limit: 1536, minRate: 1024 })
    assert.deepEqual({ ...given, ...plain, ...sizes }, given)
    assert.equal(readOptions('text', { defaultCharset: 'KOI8-R' }).defaultCharset, 'KOI8-R')
  })

  it('are none, if they are no object', () => {
    const { given, ...defaults } = readOptions('json', {})
    for (const none of [undefined, null, 5, 'text', Object.create(null)]) {
      const { given, ...settings } = readOptions('json', none)
      assert.deepEqual(settings, defaults)
    }
  })

  it('cannot be a request, which shows that the parser was not made', () => {
    const message = 'options cannot be a request: the parser must be made first, as in app.use(bodyParser.json())'
    assert.throws(() => subject.json(new http.IncomingMessage(null)), { name: 'TypeError', message })
    subject.json({ pipe () {} })
    subject.json({ headers: {} })
  })

  it('that are wrong and cannot be converted to a string are named by their type', () => {
    assert.throws(() => subject.json({ limit: Object.create(null) }),
      { name: 'TypeError', message: 'option limit "object" is invalid' })
  })

  it('include no defaultCharset that is not a string', () => {
    const message = 'option defaultCharset must be a string'
    for (const name of ['json', 'text']) {
      assert.throws(() => subject[name]({ defaultCharset: 5 }), { name: 'TypeError', message })
    }
  })

  it('include no minRate that no client, or every one, would keep to', () => {
    for (const minRate of [-1, Infinity, -Infinity]) {
      assert.throws(() => subject.raw({ minRate }),
        { name: 'TypeError', message: 'option minRate must be a number of bytes per second' })
    }
    assert.throws(() => subject.raw({ minRate: NaN }),
      { name: 'TypeError', message: 'option minRate "NaN" is invalid' })
  })

  for (const name of ['budget', 'qs', 'schema']) {
    it(`include no ${name} that is false`, () => {
      assert.throws(() => subject.urlencoded({ extended: true, [name]: false }),
        { name: 'TypeError', message: new RegExp(`^option ${name} must be `) })
    })
  }

  for (const [parser, name, excluded] of EXCLUDED) {
    for (const other of excluded) {
      it(`${other} and ${name} of ${parser} exclude each other`, () => {
        const both = { ...parser === 'urlencoded' && { extended: true }, [name]: VALUES[name], [other]: VALUES[other] }
        assert.throws(() => make(parser, both),
          { name: 'TypeError', message: `option ${other} cannot be combined with ${name}` })
        for (const nothing of [undefined, null]) {
          make(parser, { ...both, [name]: nothing, ...name === 'parse' && { qs: undefined } })
          make(parser, { ...both, [other]: nothing })
        }
      })
    }
  }

  it('that exclude each other do not compile: test/types/own-parser.ts has a line of them', () => {
    const types = fs.readFileSync(path.join(__dirname, '../types/own-parser.ts'), 'utf8')
    const lines = Array.from(types.matchAll(/^\/\/ @ts-expect-error\n(\w+)\(\{(.*)\}\)$/gm),
      ([, parser, options]) => ({ parser, options }))
    for (const [parser, name, excluded] of EXCLUDED) {
      for (const other of excluded) {
        const isOfBoth = (line) => line.parser === parser && [name, other].every((option) =>
          new RegExp(`\\b${option}\\b`).test(line.options))
        assert.ok(lines.some(isOfBoth), `test/types/own-parser.ts has no line of ${parser} with ${name} and ${other}`)
      }
    }
  })

  it('exclude no others', () => {
    const found = rows.flatMap(({ excludes, name, parsers }) =>
      excludes ? parsers.map((parser) => [parser, name, excludes]) : [])
    assert.deepEqual(found.sort(), [...EXCLUDED].sort())
  })

  it('that change nothing exclude nothing', () => {
    subject.json({ onProtoPoisoning: 'ignore', reviver: VALUES.reviver })
    subject.json({ cooperative: false, parse: String, reviver: VALUES.reviver })
    subject.json({ reviver: 'none', onProtoPoisoning: 'error', cooperative: true })
  })

  for (const { name, parsers: [parser], isRefused } of rows) {
    if (isRefused) continue
    it(`${name} is what ${name}_ is meant to be for ${parser}`, () => {
      const warnings = []
      within(process, { emitWarning: (message) => warnings.push(message) }, () => {
        if (STREAMS.includes(parser)) {
          assert.throws(() => make(parser, { [`${name}_`]: 1 }),
            { name: 'TypeError', message: `option ${name}_ is unknown to ${parser}: did you mean ${name}?` })
        } else make(parser, { [`${name}_`]: 1 })
      })
      const isSilent = STREAMS.includes(parser) || name.length < 3 // too short to be near to something
      assert.deepEqual(warnings,
        isSilent ? [] : [`option ${name}_ is unknown and has no effect: did you mean ${name}?`])
    })
  }

  it('of which two share a function extend the parser once', () => {
    const settings = readOptions('raw', { timeout: 5, minRate: 1 })
    const extended = extend({ name: 'raw', get guards () { return 0 } }, settings, true)
    assert.deepEqual([typeof extended.createGuards, extended.guards], ['function', 0])
    const guards = rows.filter(({ name }) => ['timeout', 'minRate', 'budget'].includes(name))
    assert.equal(new Set(guards.map(({ load }) => load())).size, 1)
  })

  it('that are misspelt are told even if another one is refused', async () => {
    const warned = once(process, 'warning')
    assert.throws(() => subject.json({ verfiy: 1, limit: 'x' }), TypeError)
    const [{ message }] = await warned
    assert.match(message, /did you mean verify\?$/)
  })
})
