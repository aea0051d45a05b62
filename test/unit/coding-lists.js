'use strict'

const assert = require('node:assert/strict')
const { PassThrough, Transform } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const Exchange = require('../../lib/exchange')
const { codingsOf, collectCoded } = require('../../lib/inflate')
const { joinForGood } = require('../../lib/join')

const KIB = 1024

/** Reads a body through these decoders; gives the request, too, and each call of `next`. */
async function decode (coded, decoders, { limit = 100 * KIB, act = (req) => req.end(coded) } = {}) {
  const calls = []
  const req = new PassThrough()
  await new Promise((resolve) => {
    const settle = (result) => {
      calls.push(result)
      resolve()
    }
    const exchange = new Exchange(req, {}, settle, { charset: null, decode: String }, Infinity, null, (_, bytes) => settle(bytes), Infinity, joinForGood)
    collectCoded(exchange, decoders.map((decoder) => ({ stream: () => decoder })), limit, null)
    act(req)
  })
  await delay(10)
  return { calls, req }
}

describe('lists of codings', () => {
  it('are in the order to undo them', () => {
    const makers = (field) => codingsOf(field).map(({ stream }) => stream)
    assert.deepEqual(makers('gzip, br'), [zlib.createBrotliDecompress, zlib.createGunzip])
    assert.deepEqual(makers('x-gzip,deflate,,br '), [zlib.createBrotliDecompress, zlib.createInflate, zlib.createGunzip])
    assert.deepEqual(makers('gzip'), [zlib.createGunzip])
  })

  it('leave the codings as they are', () => {
    for (let i = 0; i < 3; i++) assert.equal(codingsOf('gzip, br').length, 2)
  })

  it('are of four at most', () => {
    assert.equal(codingsOf(Array(4).fill('gzip').join()).length, 4)
    for (const field of ['', ',', Array(5).fill('gzip').join(), 'gzip,bogus', 'toString']) assert.equal(codingsOf(field), undefined)
  })

  const twice = (bytes) => zlib.gzipSync(zlib.gzipSync(bytes))
  const cases = {
    'a body': [twice('body'), 'body'],
    'a bomb': [twice(Buffer.alloc(300 * KIB)), 'entity.too.large'],
    'a bomb within': [zlib.gzipSync(Buffer.concat(Array(20 * KIB).fill(zlib.gzipSync('')))), 'entity.too.large'],
    'a body cut off': [twice('body').subarray(0, -5), 'Z_BUF_ERROR'],
    'a body cut off within': [zlib.gzipSync(zlib.gzipSync('body').subarray(0, -5)), 'Z_BUF_ERROR'],
    'no coded body': [Buffer.from('junk'), 'Z_DATA_ERROR'],
    'no coded body within': [zlib.gzipSync('junk'), 'Z_DATA_ERROR'],
    'a request that is destroyed': [twice('body'), 'request.aborted', (req) => {
      req.write(twice('body').subarray(0, 9))
      setTimeout(() => req.destroy(), 5)
    }]
  }
  for (const [what, [coded, expected, act]] of Object.entries(cases)) {
    it(`leave no decoder and no listener after ${what}`, async () => {
      const decoders = [zlib.createGunzip(), zlib.createGunzip()]
      const { calls, req } = await decode(coded, decoders, { act })
      assert.equal(calls.length, 1)
      const [result] = calls
      assert.equal(result instanceof Error ? result.type ?? result.code : String(result), expected)
      for (const decoder of decoders) assert.equal(decoder.destroyed, true)
      for (const name of ['data', 'error', 'close', 'unpipe']) assert.equal(req.listenerCount(name), 0, name)
    })
  }

  it('tell of the first failure alone', async () => {
    const failing = (when) => {
      const decoder = new PassThrough()
      setImmediate(() => {
        for (let i = 0; i < when; i++) decoder.emit('error', new Error(`failure ${i}`))
      })
      return decoder
    }
    const { calls } = await decode('body', [failing(2), new PassThrough()], { act: (req) => req.write('x') })
    assert.deepEqual(calls.map(({ message }) => message), ['failure 0'])
  })

  it('count what each stage puts out', async () => {
    const sizes = []
    const counter = (factor) => new Transform({
      transform (chunk, _, done) {
        sizes.push(chunk.length)
        done(null, Buffer.alloc(chunk.length * factor))
      }
    })
    const { calls } = await decode(Buffer.alloc(10), [counter(10), counter(0.1)], { limit: 100 })
    assert.equal(calls[0].length, 10)
    assert.deepEqual(sizes, [10, 100])
    const over = await decode(Buffer.alloc(10), [counter(10), counter(0.1)], { limit: 99 })
    assert.deepEqual([over.calls.length, over.calls[0].received, over.calls[0].limit], [1, 100, 99])
  })
})
