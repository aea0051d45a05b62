'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { readCommon, readDefaultCharset, readDepth, readFormCharset, readParameterLimit } = require('../../lib/options')

describe('options, read', () => {
  it('have defaults', () => {
    for (const options of [undefined, null, {}, 5, 'text']) {
      assert.deepEqual(readCommon(options, 'a/b'), { buffered: false, codingLists: false, drainLimit: 64 * 1024 * 1024, inflate: true, limit: 102400, rawBody: false, type: 'a/b', verify: undefined })
      assert.equal(readDefaultCharset(options), 'utf-8')
      assert.equal(readFormCharset(options), 'utf-8')
      assert.equal(readParameterLimit(options), 1000)
      assert.equal(readDepth(options), 32)
    }
  })

  it('are taken as given', () => {
    const verify = () => {}
    assert.deepEqual(readCommon({ buffered: true, drainLimit: '1mb', inflate: false, limit: '1.5kb', rawBody: true, type: ['x'], verify }, 'a/b'), { buffered: true, codingLists: false, drainLimit: 1024 * 1024, inflate: false, limit: 1536, rawBody: true, type: ['x'], verify })
    assert.equal(readDefaultCharset({ defaultCharset: 'KOI8-R' }), 'KOI8-R')
    assert.equal(readFormCharset({ defaultCharset: 'iso-8859-1' }), 'iso-8859-1')
  })

  for (const [value, limit] of [[10.9, 10], ['10', 10], [true, 1], [Infinity, Infinity], ['Infinity', Infinity], [2 ** 32 + 1, 1], [2 ** 31, -(2 ** 31)]]) {
    it(`make ${limit} of parameterLimit ${typeof value} ${value}`, () => assert.equal(readParameterLimit({ parameterLimit: value }), limit))
  }

  for (const [value, depth] of [[0, 0], [1.5, 1.5], [Infinity, Infinity], [false, 0], ['3', 5], [true, 5], [null, 5], ['', 5]]) {
    it(`make ${depth} of depth ${typeof value} ${value}`, () => assert.equal(readDepth({ depth: value }), depth))
  }

  it('are read once', () => {
    const json = require('../../lib/types/json')
    const urlencoded = require('../../lib/types/urlencoded')
    for (const factory of [json, urlencoded]) {
      const seen = []
      const options = new Proxy({}, { get (_, name) { seen.push(name) } })
      const parser = factory(options)
      const count = seen.length
      assert.equal(new Set(seen).size, count, `each option once: ${seen}`)
      parser({ headers: {}, complete: false, socket: { readable: true } }, {}, () => {})
      assert.equal(seen.length, count)
    }
  })

  describe('of a size', () => {
    const warnings = []
    const note = (warning) => warnings.push(warning)
    const warningsOf = async (limit) => {
      warnings.length = 0
      readCommon({ limit }, 'a/b')
      await new Promise((resolve) => setImmediate(resolve)) // they are emitted in a tick of their own
      return warnings.map(({ code, message }) => [code, message])
    }

    before(() => process.on('warning', note))
    after(() => process.off('warning', note))

    for (const [limit, bytes] of [['10 mbb', 10], ['10m', 10], ['1e6', 1], ['5MiB', 5], ['1,000kb', 1], ['1.5', 1], ['1kb ', 1], ['-2 words', -2]]) {
      it(`are a warning if nobody means it: ${limit}`, async () => {
        assert.deepEqual(await warningsOf(limit), [['FAST_BODY_PARSER_SIZE', `option limit "${limit}" is read as ${bytes} bytes: its unit should be b, kb, mb, gb, tb or pb`]])
      })
    }

    for (const limit of ['10', '-1', '+1', '10b', '10 B', '1 byte', '10 bytes', '1kb', '100kb', '1.5mb', '1.25mb', '-1 GB', '2tb', '1pb', 10, 1.5]) {
      it(`are no warning: ${limit}`, async () => assert.deepEqual(await warningsOf(limit), []))
    }

    it('are no warning, but an error, if they are no number', async () => {
      const refused = warningsOf('kb')
      await assert.rejects(refused, { name: 'TypeError', message: 'option limit "kb" is invalid' })
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(warnings, [])
    })
  })

  it('cannot be a request', () => {
    const message = { name: 'TypeError', message: 'options cannot be a request: the parser must be made first, as in app.use(bodyParser.json())' }
    assert.throws(() => readCommon(new http.IncomingMessage(null), 'a/b'), message)
    assert.equal(readCommon({ pipe () {} }, 'a/b').limit, 102400)
    assert.equal(readCommon({ headers: {} }, 'a/b').limit, 102400)
  })

  it('are shown in errors, whatever they are', () => {
    assert.throws(() => readCommon({ limit: Object.create(null) }, 'a/b'), { name: 'TypeError', message: 'option limit "object" is invalid' })
  })
})
