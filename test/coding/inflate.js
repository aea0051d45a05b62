'use strict'

const assert = require('node:assert/strict')
const { AsyncLocalStorage } = require('node:async_hooks')
const { once } = require('node:events')
const Module = require('node:module')
const { mock } = require('node:test')
const { PassThrough } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const inflate = require('../../lib/core/inflate')
const { createExchange, listenedTo } = require('../support/create-exchange')
const { read, withZlib } = require('../support/decode')
const useSteadyClock = require('../support/steady-clock')

const KIB = 1024

const bomb = (size) => zlib.gzipSync(Buffer.alloc(size))
const stored = (size) => zlib.gzipSync(Buffer.alloc(size), { level: 0 })

/** The source for a body of this coding, as `read` chooses it. */
const sourceOf = (name, length, { chooseLane, findCoding } = inflate) => chooseLane(findCoding(name), length)

/** Reads a body coded with gzip. */
const gunzip = (coded, { length = coded.length, ...settings } = {}) => read(sourceOf('gzip', length), (req) => req.end(coded), settings)

describe('inflate', () => {
  useSteadyClock()

  describe('findCoding', () => {
    it('knows the codings that Node knows', () => {
      const { findCoding } = inflate
      for (const name of ['gzip', 'deflate', 'br']) assert.equal(typeof findCoding(name).decode, 'function')
      assert.equal(findCoding('zstd') !== undefined, zlib.createZstdDecompress !== undefined)
      for (const name of ['identity', 'x-gzip', '', 'constructor', 'gzip, br']) assert.equal(findCoding(name), undefined)
    })

    it('knows zstd where Node does, and asks it once whether it decodes all frames', async () => {
      for (const isRight of [true, false]) {
        let calls = 0
        const createZstdDecompress = () => new PassThrough()
        const zstdDecompressSync = (bytes) => {
          calls++
          if (isRight && bytes.length < 10) throw new Error('cut')
          return { length: 2 }
        }
        await withZlib({ createZstdDecompress, zstdDecompressSync }, ({ findCoding, load }) => {
          assert.equal(calls, 0)
          load()
          const asked = calls
          const { createDecoder, decode, isBounded } = findCoding('zstd')
          assert.deepEqual([decode, createDecoder === createZstdDecompress, isBounded(Buffer.of(1))], [zstdDecompressSync, isRight, isRight])
          assert.equal(Object.hasOwn(createDecoder(), '_flush'), !isRight)
          assert.deepEqual([findCoding('zstd'), calls], [findCoding('zstd'), asked])
        })
      }
      await withZlib({ createZstdDecompress: undefined }, ({ findCoding }) => assert.equal(findCoding('zstd'), undefined))
    })
  })

  describe('chooseLane', () => {
    const { chooseLane, findCoding } = inflate
    const gzip = findCoding('gzip')

    it('takes one-shot for up to 16 KiB of declared length, and a stream for all else', () => {
      for (const [length, lane] of [[1, 'oneShot'], [16 * KIB, 'oneShot'], [16 * KIB + 1, 'stream'], [0, 'stream'], [-1, 'stream'], [NaN, 'stream'], [null, 'stream']]) {
        assert.equal(chooseLane(gzip, length), gzip[lane], `${length}`)
      }
    })

    it('takes a stream for a coding that has no one-shot lane', () => {
      const { stream } = gzip
      assert.equal(chooseLane({ stream }, 1), stream)
    })
  })

  describe('one-shot lane', () => {
    it('decodes a small body in one call', async () => {
      const calls = []
      const { gunzipSync } = zlib
      const { exchange, result } = await withZlib({
        gunzipSync (bytes, options) {
          calls.push([bytes.length, options.maxOutputLength])
          return gunzipSync(bytes, options)
        }
      }, (inflate) => read(sourceOf('gzip', 24, inflate), (req) => req.end(zlib.gzipSync('body'))))
      assert.deepEqual([exchange.lane, exchange.received, String(result)], ['one-shot', 24, 'body'])
      assert.deepEqual(calls, [[24, 112 * KIB - 1]])
    })

    it('decodes in one call at most 256 KiB, whatever the limit', async () => {
      const bounds = []
      const { gunzipSync } = zlib
      for (const limit of [1, 16 * KIB - 1, 16 * KIB, 200 * KIB, 256 * KIB, 1024 * KIB, 1e12, Infinity]) {
        await withZlib({
          gunzipSync (bytes, options) {
            bounds.push(options.maxOutputLength)
            return gunzipSync(bytes, options)
          }
        }, (inflate) => read(sourceOf('gzip', 1, inflate), (req) => req.end(bomb(1024 * KIB)), { limit }))
      }
      assert.equal(bounds.length, 8)
      assert.ok(bounds.every((bound) => bound <= 256 * KIB), `${bounds}`)
    })

    it('reports a body over the limit without decoding it again', async () => {
      for (const [limit, lane] of [[100 * KIB, 'one-shot'], [256 * KIB - 1, 'one-shot'], [256 * KIB, 'stream']]) {
        const { exchange, result, count } = await gunzip(bomb(1024 * KIB), { limit })
        assert.deepEqual([result.type, exchange.lane, count], ['entity.too.large', lane, 1])
      }
    })

    it('decodes by a stream what is more than a call may decode', async () => {
      const { exchange, result } = await gunzip(bomb(1024 * KIB), { limit: 1024 * KIB })
      assert.deepEqual([exchange.lane, result.length], ['stream', 1024 * KIB])
    })

    it('decodes brotli by a stream if its header declares more, or nothing', async () => {
      const laneOf = async (length) => {
        const coded = zlib.brotliCompressSync(Buffer.alloc(length))
        const { exchange, result } = await read(sourceOf('br', coded.length), (req) => req.end(coded), { limit: Infinity })
        assert.equal(result.length, length)
        return exchange.lane
      }
      assert.deepEqual(await Promise.all([100, 256 * KIB, 256 * KIB + 1, 10_000_000].map(laneOf)), ['one-shot', 'one-shot', 'stream', 'stream'])
    })

    it('decodes brotli by a stream where the decoder does not report faults', async () => {
      const coded = zlib.brotliCompressSync('body')
      const { exchange, result } = await withZlib({ brotliDecompressSync: () => Buffer.alloc(0) }, (inflate) =>
        read(sourceOf('br', coded.length, inflate), (req) => req.end(coded)))
      assert.deepEqual([exchange.lane, String(result)], ['stream', 'body'])
    })

    it('reports the same errors as the stream lane', async () => {
      const cases = [[bomb(300 * KIB), 100 * KIB], [bomb(300 * KIB), 16 * KIB], [bomb(10), 5], [bomb(10), 0], [bomb(10), -1], [bomb(10).subarray(0, -1), 99], [Buffer.from('junk'), 9]]
      for (const [coded, limit] of cases) {
        const oneShot = await gunzip(coded, { limit })
        const stream = await gunzip(coded, { limit, length: null })
        assert.ok(oneShot.result instanceof Error)
        assert.deepEqual({ ...oneShot.result }, { ...stream.result })
        assert.equal(oneShot.result.message, stream.result.message)
      }
    })

    it('accepts an empty body under a negative limit, as the stream lane does', async () => {
      for (const length of [undefined, null]) assert.equal((await gunzip(bomb(0), { limit: -1, length })).result.length, 0)
    })

    it('copies a body that would keep more than twice its memory', async () => {
      const slab = Buffer.from('pooled').buffer.byteLength
      const chunk = Buffer.allocUnsafe(16 * KIB).buffer.byteLength // of zlib, which some Nodes cut from a pool
      assert.ok((await gunzip(zlib.gzipSync('body'))).result.buffer.byteLength <= slab)
      for (const size of [8 * KIB, 10 * KIB]) {
        const { result } = await gunzip(bomb(size))
        assert.deepEqual([result.length, result.buffer.byteLength], [size, chunk])
      }
    })
  })

  describe('time budget of the one-shot lane', () => {
    const clock = { ms: 1e6 }
    let now

    beforeEach(() => { now = mock.method(performance, 'now', () => clock.ms) })
    afterEach(() => now.mock.restore())

    /**
     * Whether each of these bodies is decoded in one call, which takes so long.
     *
     * @param {number} count of bodies
     * @param {number | ((index: number) => number)} ms
     * @param {{ body?: Buffer, pause?: number }} [more] `pause` between two, ms
     */
    async function oneShots (count, ms, { body = zlib.gzipSync('body'), pause = 0 } = {}) {
      const { gunzipSync } = zlib
      let calls = 0
      const slow = (bytes, options) => {
        clock.ms += typeof ms === 'function' ? ms(calls) : ms
        calls++
        return gunzipSync(bytes, options)
      }
      return withZlib({ gunzipSync: slow }, async (inflate) => {
        const results = []
        for (let i = 0; i < count; i++) {
          const before = calls
          await read(sourceOf('gzip', body.length, inflate), (req) => req.end(body))
          results.push(calls > before)
          clock.ms += pause
        }
        return results
      })
    }

    it('is not used up by ordinary bodies, however many there are', async () => {
      assert.deepEqual(await oneShots(200, 0.19), Array(200).fill(true))
    })

    it('is 10 ms, after which bodies take the stream lane', async () => {
      assert.deepEqual(await oneShots(6, 3.2), [true, true, true, true, false, false])
    })

    it('is restored by 1 % of the time that passes', async () => {
      assert.deepEqual(await oneShots(4, 5.2), [true, true, true, false])
      assert.deepEqual(await oneShots(4, 5.2, { pause: 500 }), [true, true, true, true])
    })

    it('is earned back by ordinary bodies, as the machine may stop during a few of them', async () => {
      assert.deepEqual(await oneShots(480, (index) => index % 60 === 0 ? 5 : 0.1), Array(480).fill(true))
      assert.deepEqual(await oneShots(500, (index) => index % 10 === 0 ? 5 : 0.1).then((results) => results.includes(false)), true)
    })

    it('is earned back in twice the time of a body, so that bodies that take none earn none', async () => {
      assert.deepEqual(await oneShots(500, (index) => index % 100 === 0 ? 5 : 0.01).then((results) => results.includes(false)), true)
    })

    it('is never spent by one body, however long the machine stops', async () => {
      assert.deepEqual(await oneShots(4, 100), [true, true, true, false])
    })

    it('counts the whole time of a body that is cut off, which is decoded again', async () => {
      assert.deepEqual(await oneShots(7, 1.8, { body: zlib.gzipSync('body').subarray(0, 15) }), [true, true, true, true, true, true, false])
    })

    it('is kept where a test fakes a clock that goes back', async () => {
      assert.deepEqual(await oneShots(3, 0, { pause: -1e5 }), [true, true, true])
    })
  })

  describe('stream lane', () => {
    it('decodes bodies that are large, or of unknown length', async () => {
      for (const [coded, length] of [[stored(20 * KIB), undefined], [bomb(10), null]]) {
        const { exchange, result } = await gunzip(coded, { length })
        assert.deepEqual([exchange.lane, exchange.received, result.length], ['stream', coded.length, coded.length > KIB ? 20 * KIB : 10])
      }
    })

    it('reports once, although one event leads to another', async () => {
      const { result, count } = await read(sourceOf('gzip', null), (req) => {
        req.prependListener('aborted', () => req.emit('close'))
        req.emit('aborted')
      })
      assert.deepEqual([result.type, count], ['request.aborted', 1])
    })

    it('ends when an observer gives the request up', async () => {
      const fault = new Error('given up')
      const req = new PassThrough()
      const errors = []
      const exchange = createExchange(req, { next: (error) => errors.push(error) })
      sourceOf('gzip', null)(exchange, assert.fail)
      exchange.abort(fault, false)
      await turn()
      assert.deepEqual([errors, exchange.onAbort], [[fault], null])
    })

    it('tells the observer of what is decoded', async () => {
      const sizes = []
      const observer = { held: (bytes) => { sizes.push(bytes); return null }, discarded () {}, ended () {}, completed () {} }
      await gunzip(bomb(20 * KIB), { length: null, observe: () => observer })
      assert.deepEqual(sizes, [16 * KIB, 4 * KIB])
    })

    it('ends when the observer refuses what is decoded', async () => {
      const fault = Object.assign(new Error('no more'), { status: 503 })
      const sizes = []
      const observer = { held: (bytes) => sizes.push(bytes) && fault, discarded () {}, ended () {}, completed () {} }
      const { result } = await gunzip(bomb(200 * KIB), { length: null, observe: () => observer })
      assert.deepEqual([result, sizes], [fault, [16 * KIB]])
    })

    it('checks first what makes a request unreadable', async () => {
      const req = Object.assign(new PassThrough(), { readable: false })
      const { result } = await read(sourceOf('gzip', null), () => {}, { req })
      assert.equal(result.type, 'stream.not.readable')
    })

    it('reads off the bytes that follow the coded body', async () => {
      const coded = zlib.deflateSync('body')
      const { req, result } = await read(sourceOf('deflate', null), (req) => req.write(Buffer.concat([coded, Buffer.from('junk')])))
      assert.equal(String(result), 'body')
      req.end('more')
      await once(req, 'end')
    })

    it('reports an aborted request in the async context of its call', async () => {
      const storage = new AsyncLocalStorage()
      for (const name of ['aborted', 'close']) {
        const req = new PassThrough()
        const seen = await new Promise((resolve) => {
          storage.run('request', () => {
            const exchange = createExchange(req, { next: (error) => resolve([storage.getStore(), error.type]) })
            sourceOf('gzip', null)(exchange, resolve)
          })
          storage.run('socket', () => req.emit(name))
        })
        assert.deepEqual(seen, ['request', 'request.aborted'])
      }
    })

    it('reports a fault that a decoder emits within the call of `end`, as in Deno', async () => {
      const error = new Error('at once')
      const decoder = Object.assign(new PassThrough(), { end () { this.emit('error', error) } })
      const { result } = await withZlib({ createGunzip: () => decoder, gunzipSync () { throw new Error('no') } }, (inflate) =>
        read(sourceOf('gzip', 4, inflate), (req) => req.end('body')))
      assert.deepEqual([result.status, result.message], [400, 'at once'])
    })

    it('reports that raw-body cannot be loaded, and tries again with the next body', async () => {
      const { _load } = Module
      await withZlib({}, async (inflate) => {
        Module._load = (request, ...others) => {
          if (request === 'raw-body') throw new Error('no file can be opened')
          return _load(request, ...others)
        }
        const attempt = () => read(sourceOf('gzip', null, inflate), (req) => req.end(zlib.gzipSync('body')))
        try {
          const { result } = await attempt()
          assert.deepEqual([result.status, result.expose, result.type, result.message], [500, false, 'module.not.loaded', 'no file can be opened'])
        } finally {
          Module._load = _load
        }
        assert.equal(String((await attempt()).result), 'body')
      })
    })
  })

  describe('decoders', () => {
    // [what, coded body, result, act]
    const rows = [
      ['a body', zlib.gzipSync('body'), 'body'],
      ['a body over the limit', bomb(300 * KIB), 'entity.too.large'],
      ['a body that is not coded', Buffer.from('junk'), 'Z_DATA_ERROR'],
      ['a body that is cut off', zlib.gzipSync('body').subarray(0, -5), 'Z_BUF_ERROR'],
      ['a request that is destroyed', undefined, 'request.aborted', async (req) => {
        req.write(zlib.gzipSync('body').subarray(0, 9))
        await turn()
        req.destroy()
      }]
    ]
    for (const [what, coded, expected, act = (req) => req.end(coded)] of rows) {
      it(`are destroyed, and no listener stays, after ${what}`, async () => {
        const decoder = zlib.createGunzip()
        const { req, result, count } = await withZlib({ createGunzip: () => decoder }, (inflate) => read(sourceOf('gzip', null, inflate), act))
        assert.equal(result instanceof Error ? result.type ?? result.code : String(result), expected)
        assert.deepEqual([count, decoder.destroyed], [1, true])
        assert.deepEqual(listenedTo(req).filter((name) => name !== 'prefinish'), [])
      })
    }
  })
})
