'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const { PassThrough } = require('node:stream')
const { mock } = require('node:test')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const inflate = require('../../lib/coding/inflate')
const { createExchange, listenedTo } = require('../support/create-exchange')
const { read, withZlib } = require('../support/decode')

const KIB = 1024

const bomb = (size) => zlib.gzipSync(Buffer.alloc(size))
const stored = (size) => zlib.gzipSync(Buffer.alloc(size), { level: 0 })

/** The source for a body of this coding, as `read` chooses it. */
const sourceOf = (name, length, { chooseLane, findCoding } = inflate) => chooseLane(findCoding(name), length)

/** Reads a body coded with gzip. */
const gunzip = (coded, { length = coded.length, ...settings } = {}) => read(sourceOf('gzip', length), (req) => req.end(coded), settings)

describe('inflate', () => {
  describe('findCoding', () => {
    it('knows the codings that Node knows', () => {
      const { codingNames, findCoding } = inflate
      const names = zlib.createZstdDecompress === undefined ? ['gzip', 'deflate', 'br'] : ['gzip', 'deflate', 'br', 'zstd']
      assert.deepEqual(codingNames(), names)
      for (const name of names) {
        const { stream, createDecoder } = findCoding(name)
        assert.equal(typeof stream, 'function')
        createDecoder().destroy()
      }
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
        await withZlib({ createZstdDecompress, zstdDecompressSync }, ({ codingNames, findCoding }) => {
          assert.deepEqual(codingNames().slice(3), ['zstd'])
          assert.equal(calls, 0)
          const coding = findCoding('zstd')
          const asked = calls
          assert.ok(asked > 0)
          assert.equal(coding.createDecoder === createZstdDecompress, isRight)
          assert.equal(Object.hasOwn(coding.createDecoder(), '_flush'), !isRight)
          assert.deepEqual([findCoding('zstd') === coding, calls], [true, asked])
        })
      }
      await withZlib({ createZstdDecompress: undefined }, ({ codingNames, findCoding }) => {
        assert.deepEqual([findCoding('zstd'), codingNames()], [undefined, ['gzip', 'deflate', 'br']])
      })
    })

    it('decodes by a stream what may be more than one frame of zstd, where Node would decode the first alone', async () => {
      const frame = Buffer.from('28b52ffd2001090000' + '78', 'hex') // `x`
      const zstdDecompressSync = () => Buffer.from('x')
      for (const [coded, lane] of [[frame, 'one-shot'], [Buffer.concat([frame, frame]), 'stream']]) {
        const { exchange } = await withZlib({ createZstdDecompress: () => new PassThrough(), zstdDecompressSync }, (inflate) =>
          read(sourceOf('zstd', coded.length, inflate), (req) => req.end(coded)))
        assert.equal(exchange.lane, lane)
      }
    })
  })

  describe('chooseLane', () => {
    const { chooseLane, findCoding } = inflate
    const gzip = findCoding('gzip')

    it('takes one-shot for up to 4 KiB of declared length, and a stream for all else', () => {
      for (const [length, lane] of [[1, 'oneShot'], [4 * KIB, 'oneShot'], [4 * KIB + 1, 'stream'], [0, 'stream'], [-1, 'stream'], [NaN, 'stream'], [null, 'stream']]) {
        assert.equal(chooseLane(gzip, length), gzip[lane], `${length}`)
      }
    })

    it('takes a stream for br, whatever its length', async () => {
      const br = findCoding('br')
      assert.equal(chooseLane(br, 1), br.stream)
      const coded = zlib.brotliCompressSync('body')
      const { exchange, result } = await read(sourceOf('br', coded.length), (req) => req.end(coded))
      assert.deepEqual([exchange.lane, String(result)], ['stream', 'body'])
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

    it('counts faulty bodies', async () => {
      assert.deepEqual(await oneShots(4, 5.2, { body: Buffer.from('junk') }), [true, true, true, false])
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

    it('ends when its exchange is aborted', async () => {
      const fault = new Error('aborted')
      const req = new PassThrough()
      const errors = []
      const exchange = createExchange(req)
      sourceOf('gzip', null)(exchange, (error) => errors.push(error))
      exchange.abort(fault, false)
      await turn()
      assert.deepEqual([errors, exchange.onAbort], [[fault], null])
    })

    it('tells the guard of what is decoded', async () => {
      const sizes = []
      const guard = { held: (bytes) => { sizes.push(bytes); return null }, discarded () {}, ended () {}, completed () {} }
      await gunzip(bomb(20 * KIB), { length: null, createGuard: () => guard })
      assert.deepEqual(sizes, [16 * KIB, 4 * KIB])
    })

    it('ends when the guard refuses what is decoded', async () => {
      const fault = Object.assign(new Error('no more'), { status: 503 })
      const sizes = []
      const guard = { held: (bytes) => sizes.push(bytes) && fault, discarded () {}, ended () {}, completed () {} }
      const { result } = await gunzip(bomb(200 * KIB), { length: null, createGuard: () => guard })
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

    it('takes a request that is aborted or closed before its end for a client that has left', async () => {
      for (const name of ['aborted', 'close']) {
        const { result, count } = await read(sourceOf('gzip', null), (req) => req.emit(name))
        assert.deepEqual([result.type, count], ['request.aborted', 1])
      }
    })

    it('never answers within the call', async () => {
      for (const req of [new PassThrough(), Object.assign(new PassThrough(), { readable: false })]) {
        let isReturned = false
        const results = []
        const source = (exchange, done) => {
          sourceOf('gzip', null)(exchange, (...result) => {
            assert.ok(isReturned)
            results.push(result)
            done(...result)
          })
          isReturned = true
        }
        await read(source, (req) => req.end(bomb(10)), { req })
        assert.equal(results.length, 1)
      }
    })

    it('reports a fault that a decoder emits within the call of `end`, as in Deno', async () => {
      const error = new Error('at once')
      const decoder = Object.assign(new PassThrough(), { end () { this.emit('error', error) } })
      const { result } = await withZlib({ createGunzip: () => decoder, gunzipSync () { throw new Error('no') } }, (inflate) =>
        read(sourceOf('gzip', 4, inflate), (req) => req.end('body')))
      assert.deepEqual([result.status, result.message], [400, 'at once'])
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
