'use strict'

const assert = require('node:assert/strict')
const { PassThrough, Transform } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const { chooseLane, findCoding } = require('../../lib/core/inflate')
const findListedCoding = require('../../lib/extras/coding-lists')
const { listenedTo } = require('../support/create-exchange')
const { read, withZlib } = require('../support/decode')

const KIB = 1024

const twice = (bytes) => zlib.gzipSync(zlib.gzipSync(bytes))

/** The source for a body of these codings, as `read` chooses it. */
const sourceOf = (field, find = findListedCoding) => chooseLane(find(field), 10)

describe('coding-lists', () => {
  it('finds a single coding, also by its alias', () => {
    assert.equal(findListedCoding('gzip'), findCoding('gzip'))
    assert.equal(findListedCoding(' ,x-gzip,'), findCoding('gzip'))
  })

  it('undoes codings in the opposite order, for each body anew', async () => {
    const codings = {
      'gzip, br': zlib.brotliCompressSync(zlib.gzipSync('body')),
      'x-gzip,deflate,,br ': zlib.brotliCompressSync(zlib.deflateSync(zlib.gzipSync('body')))
    }
    for (const [field, coded] of Object.entries(codings)) {
      const source = sourceOf(field)
      for (let i = 0; i < 3; i++) {
        const { exchange, result } = await read(source, (req) => req.end(coded))
        assert.deepEqual([exchange.lane, String(result)], ['stream', 'body'])
      }
    }
  })

  it('refuses more than four codings, unknown ones, and a list of none', () => {
    assert.notEqual(findListedCoding(Array(4).fill('gzip').join()), undefined)
    for (const field of ['', ',', Array(5).fill('gzip').join(), 'gzip,bogus', 'toString']) assert.equal(findListedCoding(field), undefined)
  })

  // [what, coded body, result, act]
  const rows = [
    ['a body', twice('body'), 'body'],
    ['a body over the limit', twice(Buffer.alloc(300 * KIB)), 'entity.too.large'],
    ['a body over the limit when it is decoded once', zlib.gzipSync(Buffer.concat(Array(20 * KIB).fill(zlib.gzipSync('')))), 'entity.too.large'],
    ['an outer coding that is cut off', twice('body').subarray(0, -5), 'Z_BUF_ERROR'],
    ['an inner coding that is cut off', zlib.gzipSync(zlib.gzipSync('body').subarray(0, -5)), 'Z_BUF_ERROR'],
    ['a body that is not coded', Buffer.from('junk'), 'Z_DATA_ERROR'],
    ['a body that is coded once', zlib.gzipSync('junk'), 'Z_DATA_ERROR'],
    ['a request that is destroyed', undefined, 'request.aborted', async (req) => {
      req.write(twice('body').subarray(0, 9))
      await turn()
      req.destroy()
    }]
  ]
  for (const [what, coded, expected, act = (req) => req.end(coded)] of rows) {
    it(`destroys all decoders, and leaves no listener, after ${what}`, async () => {
      const decoders = []
      const { createGunzip } = zlib
      const { req, result, count } = await withZlib({
        createGunzip () {
          decoders.push(createGunzip())
          return decoders.at(-1)
        }
      }, (_, find) => read(sourceOf('gzip, gzip', find), act))
      assert.equal(result instanceof Error ? result.type ?? result.code : String(result), expected)
      assert.deepEqual([count, decoders.map(({ destroyed }) => destroyed)], [1, [true, true]])
      assert.deepEqual(listenedTo(req).filter((name) => name !== 'prefinish'), [])
    })
  }

  /** Reads a body through two decoders. */
  function readThrough (decoders, act, settings) {
    const left = [...decoders]
    return withZlib({ createGunzip: () => left.shift() }, (_, find) => read(sourceOf('gzip, gzip', find), act, settings))
  }

  it('reports only the first failure of a decoder', async () => {
    const decoder = new PassThrough()
    setImmediate(() => {
      for (let i = 0; i < 2; i++) decoder.emit('error', new Error(`failure ${i}`))
    })
    const { result, count } = await readThrough([decoder, new PassThrough()], (req) => req.write('x'))
    assert.deepEqual([result.message, count], ['failure 0', 1])
  })

  it('lets no decoder emit more than the limit', async () => {
    const sizes = []
    const counter = (factor) => new Transform({
      transform (chunk, _, done) {
        sizes.push(chunk.length)
        done(null, Buffer.alloc(chunk.length * factor))
      }
    })
    const attempt = (limit) => readThrough([counter(10), counter(0.1)], (req) => req.end(Buffer.alloc(10)), { limit })
    assert.equal((await attempt(100)).result.length, 10)
    assert.deepEqual(sizes, [10, 100])
    const { result, count } = await attempt(99)
    assert.deepEqual([result.received, result.limit, count], [100, 99, 1])
  })
})
