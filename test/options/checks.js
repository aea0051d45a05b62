'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const { assertExclusive, readBytes, readCommon, readDefaultCharset, readFunction, readLevels, readSize, readSwitch } = require('../../lib/core/options')

const MIB = 1024 * 1024 // bytes
const DEFAULTS = { buffered: false, codingLists: false, drainLimit: 64 * MIB, inflate: true, limit: 102400, observe: null, rawBody: false, schema: undefined, type: 'a/b', verify: undefined }

describe('options', () => {
  /** Warnings are given once: another copy gives them again. */
  beforeEach(() => { delete require.cache[require.resolve('../../lib/extras/warnings')] })

  describe('readCommon', () => {
    const NAMES = [
      'allowPrototypes', 'budget', 'buffered', 'charset', 'charsetSentinel', 'codingLists', 'cooperative', 'defaultCharset',
      'depth', 'drainLimit', 'empty', 'extended', 'inflate', 'interpretNumericEntities', 'limit', 'minRate', 'onConstructorPoisoning',
      'onProtoPoisoning', 'parameterLimit', 'parse', 'rawBody', 'reviver', 'schema', 'strict', 'timeout', 'type', 'verify'
    ]

    for (const name of NAMES) {
      it(`knows what ${name}_ is meant to be`, async () => {
        const [warning] = await Promise.all([once(process, 'warning'), readCommon({ [`${name}_`]: 1 }, 'a/b')])
        assert.equal(warning[0].message, `option ${name}_ is unknown and has no effect: did you mean ${name}?`)
      })
    }

    it('has a default for each option', () => {
      for (const options of [undefined, null, {}, 5, 'text']) {
        assert.deepEqual(readCommon(options, 'a/b'), { ...DEFAULTS, given: options })
        assert.equal(readDefaultCharset(options), 'utf-8')
      }
    })

    it('reads what is given', () => {
      const verify = () => {}
      const given = { buffered: true, codingLists: true, drainLimit: '1mb', limit: '1.5kb', rawBody: true, type: ['x'], verify }
      assert.deepEqual(readCommon(given, 'a/b'), { ...DEFAULTS, ...given, given, drainLimit: MIB, limit: 1536 })
      assert.equal(readCommon({ inflate: false }, 'a/b').inflate, false)
      assert.equal(readDefaultCharset({ defaultCharset: 'KOI8-R' }), 'KOI8-R')
    })

    it('refuses a list of codings where codings are refused', () => {
      const message = 'option codingLists cannot be combined with inflate: false'
      assert.throws(() => readCommon({ codingLists: true, inflate: false }), { name: 'TypeError', message })
      assert.equal(readCommon({ codingLists: false, inflate: false }).codingLists, false)
    })

    it('refuses a request, which shows that the parser was not made', () => {
      const message = 'options cannot be a request: the parser must be made first, as in app.use(bodyParser.json())'
      assert.throws(() => readCommon(new http.IncomingMessage(null), 'a/b'), { name: 'TypeError', message })
      assert.equal(readCommon({ pipe () {} }, 'a/b').limit, 102400)
      assert.equal(readCommon({ headers: {} }, 'a/b').limit, 102400)
    })

    it('names a wrong value that cannot be converted to a string by its type', () => {
      assert.throws(() => readCommon({ limit: Object.create(null) }, 'a/b'), { name: 'TypeError', message: 'option limit "object" is invalid' })
    })
  })

  it('are each read once, when the parser is made', () => {
    for (const factory of [require('../../lib/types/json'), require('../../lib/types/urlencoded')]) {
      const seen = []
      const parser = factory(new Proxy({}, { get (_, name) { seen.push(name) } }))
      const count = seen.length
      assert.equal(new Set(seen).size, count, `each option once: ${seen}`)
      parser({ headers: {}, complete: false, socket: { readable: true } }, {}, () => {})
      assert.equal(seen.length, count)
    }
  })

  describe('readBytes', () => {
    const warnings = []
    const note = (warning) => warnings.push(warning)
    const warningsOf = async (limit) => {
      warnings.length = 0
      readBytes('limit', limit)
      await new Promise((resolve) => setImmediate(resolve)) // they are emitted in a tick of their own
      return warnings.map(({ code, message }) => [code, message])
    }

    before(() => process.on('warning', note))
    after(() => process.off('warning', note))

    it('falls back for undefined and null alone', () => {
      for (const value of [undefined, null]) assert.equal(readBytes('limit', value, 5), 5)
      assert.equal(readBytes('limit', 0, 5), 0)
    })

    for (const [limit, bytes] of [['10 mbb', 10], ['12m', 12], ['1e6', 1], ['5MiB', 5], ['1,000kb', 1], ['1.5', 1], ['1kb ', 1], ['-2 words', -2]]) {
      it(`warns once that it reads "${limit}" as ${bytes} bytes, as body-parser does`, async () => {
        assert.deepEqual(await warningsOf(limit), [['FAST_BODY_PARSER_SIZE', `option limit "${limit}" is read as ${bytes} bytes: its unit should be b, kb, mb, gb, tb or pb`]])
        assert.deepEqual(await warningsOf(limit), [])
      })
    }

    it('warns of each option that is given such a size', async () => {
      assert.match((await warningsOf('14m'))[0][1], /^option limit "14m"/)
      readBytes('drainLimit', '14m')
      await new Promise((resolve) => setImmediate(resolve))
      assert.match(warnings[1].message, /^option drainLimit "14m"/)
    })

    for (const limit of ['10', '-1', '+1', '10b', '10 B', '1 byte', '10 bytes', '1kb', '100kb', '1.5mb', '1.25mb', '-1 GB', '2tb', '1pb', 10, 1.5]) {
      it(`does not warn about ${limit}`, async () => assert.deepEqual(await warningsOf(limit), []))
    }

    it('throws, and does not warn, if there is no number', async () => {
      const refused = warningsOf('kb')
      await assert.rejects(refused, { name: 'TypeError', message: 'option limit "kb" is invalid' })
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(warnings, [])
    })
  })

  describe('readSize', () => {
    it('reads sizes as readBytes does, and falls back as it does', () => {
      assert.deepEqual([readSize('a', '1kb', 5), readSize('a', 0, 5), readSize('a', 1.5, 5), readSize('a', null, 5)], [1024, 0, 1.5, 5])
    })

    it('refuses a size below 0', () => {
      for (const size of [-1, -Infinity, '-1kb']) assert.throws(() => readSize('a', size), { name: 'TypeError', message: `option a "${size}" is invalid` })
    })
  })

  describe('readLevels', () => {
    it('reads whole numbers and Infinity, which is the default', () => {
      assert.deepEqual([0, 1, 32, Infinity, undefined, null].map((value) => readLevels('a', value)), [0, 1, 32, Infinity, Infinity, Infinity])
    })

    it('refuses any other value', () => {
      for (const value of [-1, 1.5, NaN, -Infinity, '1', true, {}]) {
        assert.throws(() => readLevels('a', value), { name: 'TypeError', message: 'option a must be zero, a positive integer or Infinity' })
      }
    })
  })

  describe('readSwitch', () => {
    it('reads true and false, and falls back for undefined and null', () => {
      assert.deepEqual([{ a: true }, { a: false }].map((options) => readSwitch(options, 'a')), [true, false])
      for (const options of [undefined, {}, { a: null }]) assert.deepEqual([readSwitch(options, 'a'), readSwitch(options, 'a', true)], [false, true])
    })

    it('refuses any other value', () => {
      for (const a of [0, 1, 'true', {}]) assert.throws(() => readSwitch({ a }, 'a'), { name: 'TypeError', message: 'option a must be true or false' })
    })
  })

  describe('readFunction', () => {
    it('reads a function, undefined and null', () => {
      const act = () => {}
      assert.equal(readFunction({ act }, 'act'), act)
      for (const options of [undefined, {}, { act: null }]) assert.equal(readFunction(options, 'act'), undefined)
    })

    it('refuses any other value', () => {
      for (const act of [0, false, '', {}]) assert.throws(() => readFunction({ act }, 'act'), { name: 'TypeError', message: 'option act must be a function' })
    })
  })

  describe('assertExclusive', () => {
    it('refuses an option that cannot be combined with another one', () => {
      assertExclusive({ other: undefined, more: null }, 'name', ['other', 'more'])
      assert.throws(() => assertExclusive({ more: false }, 'name', ['other', 'more']), { name: 'TypeError', message: 'option more cannot be combined with name' })
    })
  })

  it('refuses a defaultCharset that is not a string', () => {
    assert.throws(() => readDefaultCharset({ defaultCharset: 5 }), { name: 'TypeError', message: 'option defaultCharset must be a string' })
  })
})
