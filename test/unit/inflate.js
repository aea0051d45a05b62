'use strict'

const assert = require('node:assert/strict')
const { AsyncLocalStorage } = require('node:async_hooks')
const { once } = require('node:events')
const Module = require('node:module')
const { PassThrough } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const Exchange = require('../../lib/exchange')
const { joinForGood } = require('../../lib/join')
const { codingOf, collectCoded } = require('../../lib/inflate')

const KIB = 1024

/** Reads a coded body of so many bytes; tells which lane was taken and how. */
async function inflate (coded, { limit = 100 * KIB, length = coded.length, isBrief = () => true, collect = collectCoded } = {}) {
  const calls = []
  const coding = {
    isBrief,
    once (bytes, options) {
      calls.push({ lane: 'once', size: bytes.length, bound: options.maxOutputLength })
      return zlib.gunzipSync(bytes, options)
    },
    stream () {
      calls.push({ lane: 'stream' })
      return zlib.createGunzip()
    }
  }
  const result = await new Promise((resolve) => {
    const req = new PassThrough()
    const exchange = new Exchange(req, {}, resolve, { charset: null, decode: String }, Infinity, null, (_, bytes) => resolve(bytes), Infinity, joinForGood)
    collect(exchange, [coding], limit, length)
    req.end(coded)
  })
  return { calls, result }
}

const bomb = (size) => zlib.gzipSync(Buffer.alloc(size))
const stored = (size) => zlib.gzipSync(Buffer.alloc(size), { level: 0 })

describe('inflate', () => {
  it('knows the codings that Node knows', () => {
    for (const name of ['gzip', 'deflate', 'br']) assert.equal(typeof codingOf(name)[0].once, 'function')
    assert.equal(codingOf('zstd') !== undefined, zlib.createZstdDecompress !== undefined)
    for (const name of ['identity', 'x-gzip', '', 'constructor']) assert.equal(codingOf(name), undefined)
  })

  it('decodes a small body in one call', async () => {
    const { calls, result } = await inflate(zlib.gzipSync('body'))
    assert.equal(String(result), 'body')
    assert.deepEqual(calls, [{ lane: 'once', size: 24, bound: 112 * KIB }])
  })

  it('decodes what is not small, or of unknown length, by a stream', async () => {
    const large = stored(20 * KIB)
    assert.ok(large.length > 16 * KIB)
    assert.deepEqual((await inflate(large)).calls, [{ lane: 'stream' }])
    assert.deepEqual((await inflate(bomb(10), { length: null })).calls, [{ lane: 'stream' }])
  })

  it('decodes 16 KiB in one call, and no more', async () => {
    const lanes = []
    for (const size of [16 * KIB, 16 * KIB + 1]) {
      const coded = stored(size - stored(0).length)
      assert.equal(coded.length, size)
      const { calls, result } = await inflate(coded)
      lanes.push(calls[0].lane)
      assert.equal(result.length, size - stored(0).length)
    }
    assert.deepEqual(lanes, ['once', 'stream'])
  })

  it('does not decode again what broke the limit', async () => {
    for (const [limit, lanes] of [[100 * KIB, ['once']], [256 * KIB - 1, ['once']], [256 * KIB, ['once', 'stream']]]) {
      const { calls, result } = await inflate(bomb(1024 * KIB), { limit })
      assert.equal(result.type, 'entity.too.large')
      assert.deepEqual(calls.map(({ lane }) => lane), lanes)
    }
  })

  it('does not copy what fills half of its memory', async () => {
    const memory = Buffer.allocUnsafe(16 * KIB).buffer.byteLength // of a chunk of zlib, which some Nodes cut from a pool
    for (const size of [8 * KIB, 10 * KIB]) {
      const { result } = await inflate(bomb(size))
      assert.deepEqual([result.length, result.buffer.byteLength], [size, memory])
    }
  })

  it('reads off what follows the coded body', async () => {
    const coded = zlib.deflateSync('body')
    const req = new PassThrough()
    const bytes = await new Promise((resolve) => {
      const exchange = new Exchange(req, {}, resolve, { charset: null, decode: String }, Infinity, null, (_, bytes) => resolve(bytes), Infinity, joinForGood)
      collectCoded(exchange, codingOf('deflate'), 100 * KIB, null)
      req.write(Buffer.concat([coded, Buffer.from('junk')]))
    })
    assert.equal(String(bytes), 'body')
    req.end('more')
    await once(req, 'end')
  })

  it('tells of an aborted request in the context of who asked', async () => {
    const storage = new AsyncLocalStorage()
    const req = new PassThrough()
    const seen = new Promise((resolve) => {
      const exchange = new Exchange(req, {}, (error) => resolve([storage.getStore(), error.type]), { charset: null, decode: String }, Infinity, null, resolve, Infinity, joinForGood)
      storage.run('request', () => collectCoded(exchange, codingOf('gzip'), 100 * KIB, null))
    })
    storage.run('socket', () => req.emit('close'))
    assert.deepEqual(await seen, ['request', 'request.aborted'])
  })

  it('decodes by a stream what would take long in one call', async () => {
    const { calls, result } = await inflate(zlib.gzipSync('body'), { isBrief: () => false })
    assert.equal(String(result), 'body')
    assert.deepEqual(calls, [{ lane: 'stream' }])
  })

  it('hears of a fault that a decoder tells within the call', async () => {
    const error = new Error('at once')
    const decoder = Object.assign(new PassThrough(), { end () { this.emit('error', error) } }) // as in Deno
    const req = new PassThrough()
    const seen = await new Promise((resolve) => {
      const exchange = new Exchange(req, {}, resolve, { charset: null, decode: String }, Infinity, null, resolve, Infinity, joinForGood)
      collectCoded(exchange, [{ isBrief: () => false, stream: () => decoder }], 100 * KIB, 4)
      req.end('body')
    })
    assert.deepEqual([seen.status, seen.message], [400, 'at once'])
  })

  it('tells who waits that raw-body cannot be loaded', async () => {
    const { _load } = Module
    const file = require.resolve('../../lib/inflate')
    const loaded = require.cache[file]
    delete require.cache[file]
    try {
      const { collectCoded: collect } = require(file)
      Module._load = (request, ...others) => {
        if (request === 'raw-body') throw new Error('no file can be opened')
        return _load(request, ...others)
      }
      const { result } = await inflate(zlib.gzipSync('body'), { length: null, collect })
      assert.deepEqual([result.status, result.expose, result.type, result.message], [500, false, 'module.not.loaded', 'no file can be opened'])
      Module._load = _load
      assert.equal(String((await inflate(zlib.gzipSync('body'), { length: null, collect })).result), 'body')
    } finally {
      Module._load = _load
      require.cache[file] = loaded
    }
  })

  it('knows that a few bytes of brotli may take long', () => {
    const [{ isBrief }] = codingOf('br')
    const ofLength = (length) => isBrief(zlib.brotliCompressSync(Buffer.alloc(length)))
    assert.deepEqual([100, 256 * KIB, 256 * KIB + 1, 10_000_000].map(ofLength), [true, true, false, false])
    for (const name of ['gzip', 'deflate']) assert.equal(codingOf(name)[0].isBrief(Buffer.alloc(0)), true)
  })

  it('bounds what a call puts out, whatever the limit', async () => {
    for (const limit of [1, 16 * KIB - 1, 16 * KIB, 200 * KIB, 256 * KIB, 1024 * KIB, 1e12, Infinity]) {
      const { calls } = await inflate(bomb(1024 * KIB), { limit })
      assert.equal(calls[0].lane, 'once')
      assert.ok(calls[0].bound <= 256 * KIB, `${calls[0].bound}`)
    }
  })

  it('goes on by a stream if that was not enough', async () => {
    const { calls, result } = await inflate(bomb(1024 * KIB), { limit: 1024 * KIB })
    assert.deepEqual(calls.map(({ lane }) => lane), ['once', 'stream'])
    assert.equal(result.length, 1024 * KIB)
  })

  it('gives the same errors in both lanes', async () => {
    const cases = [[bomb(300 * KIB), 100 * KIB], [bomb(300 * KIB), 16 * KIB], [bomb(10), 5], [bomb(10), 0], [bomb(10), -1], [bomb(10).subarray(0, -1), 99], [Buffer.from('junk'), 9]]
    for (const [coded, limit] of cases) {
      const once = await inflate(coded, { limit })
      const stream = await inflate(coded, { limit, length: null })
      assert.notEqual(once.calls[0].lane, stream.calls[0].lane)
      assert.ok(once.result instanceof Error)
      assert.deepEqual({ ...once.result }, { ...stream.result })
      assert.equal(once.result.message, stream.result.message)
    }
  })

  it('lets nothing pass under a negative limit, as a stream does', async () => {
    for (const length of [undefined, null]) assert.equal((await inflate(bomb(0), { limit: -1, length })).result.length, 0)
  })

  it('keeps no more memory than it must', async () => {
    const { result } = await inflate(zlib.gzipSync('body'))
    const slab = Buffer.from('pooled').buffer.byteLength
    assert.ok(result.buffer.byteLength <= slab)
    const half = await inflate(bomb(10 * KIB))
    assert.ok(half.result.buffer.byteLength <= Math.max(16 * KIB, slab))
  })

  it('closes the decoder, and leaves no listener behind', async () => {
    for (const coded of [bomb(300 * KIB), zlib.gzipSync('body'), Buffer.from('junk')]) {
      const req = new PassThrough()
      const decoder = zlib.createGunzip()
      await new Promise((resolve) => {
        const exchange = new Exchange(req, {}, resolve, { charset: null, decode: String }, Infinity, null, resolve, Infinity, joinForGood)
        collectCoded(exchange, [{ stream: () => decoder }], 100 * KIB, null)
        req.end(coded)
      })
      await delay(5)
      assert.equal(decoder.destroyed, true)
      for (const name of ['data', 'error', 'close']) assert.equal(req.listenerCount(name), 0, name)
    }
  })
})
