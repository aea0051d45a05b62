'use strict'

const assert = require('node:assert/strict')
const { randomBytes } = require('node:crypto')
const { PassThrough } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const inflate = require('../../../lib/core/coding/coded-body')
const errors = require('../../../lib/core/errors')
const { createExchange, listenedTo } = require('../../support/create-exchange')
const { read, withZlib } = require('../../support/decode')

const KIB = 1024

const bomb = (size) => zlib.gzipSync(Buffer.alloc(size))
const stored = (size) => zlib.gzipSync(Buffer.alloc(size), { level: 0 })

/** The source for a body of this coding, as `read` chooses it. */
function sourceOf (name, length, { createChooser } = inflate) {
  const declared = length === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }
  return createChooser(null, null)({ 'content-encoding': name, ...declared })
}

/** The codings that the answer to an unknown one names. */
function namesOf ({ createChooser }) {
  const fieldsOf = errors.trackParserErrors()
  try {
    createChooser(null, null)({ 'content-encoding': 'unknown' })
  } catch (error) {
    return fieldsOf(error)['Accept-Encoding'].split(', ')
  }
}

/** Reads a body coded with gzip. */
const gunzip = (coded, { length = coded.length, ...settings } = {}) =>
  read(sourceOf('gzip', length), (req) => req.end(coded), settings)

describe('inflate', () => {
  describe('findCoding', () => {
    it('knows the codings that Node knows', () => {
      const { findCoding } = inflate
      const names = zlib.createZstdDecompress === undefined
        ? ['gzip', 'deflate', 'br']
        : ['gzip', 'deflate', 'br', 'zstd']
      assert.deepEqual(namesOf(inflate), names)
      for (const name of names) {
        const { stream, createDecoder } = findCoding(name)
        assert.equal(typeof stream, 'function')
        createDecoder().destroy()
      }
      for (const name of ['identity', 'x-gzip', '', 'constructor', 'gzip, br']) {
        assert.equal(findCoding(name), undefined)
      }
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
        await withZlib({ createZstdDecompress, zstdDecompressSync }, (inflate) => {
          const { findCoding } = inflate
          assert.deepEqual(namesOf(inflate).slice(3), ['zstd'])
          assert.equal(calls, 0)
          const { createDecoder } = findCoding('zstd')
          assert.equal(Object.hasOwn(createDecoder(), '_flush'), !isRight)
          const asked = calls
          assert.ok(asked > 0)
          createDecoder()
          assert.equal(calls, asked)
        })
      }
      await withZlib({ createZstdDecompress: undefined }, (inflate) => {
        assert.deepEqual([inflate.findCoding('zstd'), namesOf(inflate)], [undefined, ['gzip', 'deflate', 'br']])
      })
    })

    it('decodes small zstd in one call, and leaves faults to a stream, whichever Node it is', async () => {
      const frame = Buffer.from('28b52ffd2001090000' + '78', 'hex') // `x`
      for (const [decode, lane, content] of [
        [() => Buffer.from('x'), 'one-shot', 'x'],
        [() => { throw new Error('wrong') }, 'stream', frame.toString()]
      ]) {
        const decodesFrames = (bytes) => { // as Node 26 does
          if (bytes.length < 10) throw new Error('cut')
          return { length: 2 }
        }
        const zstdDecompressSync = (bytes) => frame.equals(bytes) ? decode() : decodesFrames(bytes)
        await withZlib({ createZstdDecompress: () => new PassThrough(), zstdDecompressSync }, async (inflate) => {
          const { exchange, result } = await read(sourceOf('zstd', frame.length, inflate), (req) => req.end(frame))
          assert.deepEqual([exchange.lane, String(result)], [lane, content])
        })
      }
    })

    describe('zstd', () => {
      before(function () {
        if (zlib.createZstdDecompress === undefined) this.skip()
      })

      const ofZstd = (frame, options) => read(sourceOf('zstd', frame.length), (req) => req.end(frame), options)

      // The shapes of a frame are in frame-headers.js.
      it('is decoded in one call if it is short, says so, and decodes to little; else by a stream', async () => {
        const whole = zlib.zstdCompressSync('x'.repeat(16 * KIB - 1))
        for (const [bytes, lane] of [
          [whole, 'one-shot'],
          [zlib.zstdCompressSync(''), 'one-shot'],
          [zlib.zstdCompressSync(Buffer.alloc(16 * KIB)), 'stream'],
          [zlib.zstdCompressSync(randomBytes(900)), 'stream'],
          [Buffer.concat([whole, whole]), 'stream'],
          [whole.subarray(0, -1), 'stream']
        ]) assert.equal((await ofZstd(bytes)).exchange.lane, lane, bytes.toString('hex').slice(0, 40))
        assert.equal(String((await ofZstd(whole)).result), 'x'.repeat(16 * KIB - 1))
      })

      it('is what a stream makes of it, whichever bit is wrong', async () => {
        const { ZSTD_c_checksumFlag: CHECKSUM } = zlib.constants
        const outcome = ({ result }) =>
          result instanceof Error ? [result.code, result.message, result.status] : String(result)
        for (const params of [{}, { [CHECKSUM]: 1 }]) {
          const whole = zlib.zstdCompressSync('{"a":["b","b","b","b","b","b","c"]}', { params })
          for (let bit = 0; bit < whole.length * 8; bit++) {
            const wrong = Buffer.from(whole)
            wrong[bit >> 3] ^= 1 << (bit & 7)
            const { stream } = inflate.findCoding('zstd')
            assert.deepEqual(outcome(await ofZstd(wrong)), outcome(await read(stream, (req) => req.end(wrong))),
              `${bit}`)
          }
        }
      })

      it('has the limit of a stream', async () => {
        const frame = zlib.zstdCompressSync('x'.repeat(300))
        const { result: { type, received, limit } } = await ofZstd(frame, { limit: 299 })
        assert.deepEqual([type, received, limit], ['entity.too.large', 300, 299])
        assert.equal((await ofZstd(frame, { limit: 300 })).result.length, 300)
        assert.equal((await ofZstd(zlib.zstdCompressSync(''), { limit: 0 })).result.length, 0)
      })
    })
  })

  describe('createChooser', () => {
    const { findCoding } = inflate

    it('takes one-shot for up to 768 bytes of gzip and zstd, of declared length, and a stream for all else', () => {
      const { oneShot, stream } = findCoding('gzip')
      for (const length of [1, 768]) assert.equal(sourceOf('gzip', length), oneShot)
      for (const length of [769, 0, -1, NaN, null]) assert.equal(sourceOf('gzip', length), stream, `${length}`)
      for (const name of ['deflate', 'br']) assert.equal(sourceOf(name, 1), findCoding(name).stream)
    })
  })

  describe('one-shot lane', () => {
    const flipped = (bytes, at) => {
      const copy = Buffer.from(bytes)
      copy[at] ^= 1
      return copy
    }
    /** Says that it decodes to so many bytes. */
    const claiming = (bytes, size) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt32LE(size, copy.length - 4)
      return copy
    }
    const member = zlib.gzipSync('body')

    it('decodes a small body in one call, into no more memory than it says that it takes', async () => {
      const calls = []
      const { gunzipSync } = zlib
      for (const limit of [1, 100 * KIB, Infinity]) {
        await withZlib({
          gunzipSync (bytes, options) {
            calls.push([bytes.length, options])
            return gunzipSync(bytes, options)
          }
        }, (inflate) => read(sourceOf('gzip', 24, inflate), (req) => req.end(member), { limit }))
      }
      assert.deepEqual(calls, Array(3).fill([24, { chunkSize: 64, maxOutputLength: 4 }]))
      const { exchange, result } = await gunzip(member)
      assert.deepEqual([exchange.lane, exchange.received, String(result)], ['one-shot', 24, 'body'])
    })

    const TWO_BLOCKS = Buffer.of(0, 1, 0, 0xFE, 0xFF, 0x61, 1, 0, 0, 0xFF, 0xFF, 0x43, 0xBE, 0xB7, 0xE8, 1, 0, 0, 0)
    const [COMMENTED, COMMENT] = [Buffer.of(0x1F, 0x8B, 8, 16), Buffer.from('comment\0')]
    // [what, coded body, lane, length of the result]
    const rows = [
      ['one block of less than 16 KiB', bomb(16 * KIB - 1), 'one-shot', 16 * KIB - 1],
      ['16 KiB', bomb(16 * KIB), 'stream', 16 * KIB],
      ['nothing', bomb(0), 'one-shot', 0],
      ['several blocks', Buffer.concat([stored(3).subarray(0, 10), TWO_BLOCKS]), 'stream', 1],
      ['two members', Buffer.concat([member, member]), 'stream', 8],
      ['a member and bytes that are ignored', Buffer.concat([member, Buffer.alloc(4)]), 'stream', 4],
      ['more than it says, as bytes follow that are ignored', Buffer.concat([bomb(20 * KIB), Buffer.alloc(4)]),
        'stream', 20 * KIB],
      ['a header with a comment', Buffer.concat([COMMENTED, member.subarray(4, 10), COMMENT, member.subarray(10)]),
        'stream', 4]
    ]
    for (const [what, coded, lane, length] of rows) {
      it(`takes the ${lane === 'stream' ? 'stream lane instead' : 'body'} if it is ${what}`, async () => {
        const { exchange, result } = await gunzip(coded)
        assert.deepEqual([result.length, exchange.lane], [length, lane])
      })
    }

    it('reports the same errors as the stream lane', async () => {
      const cases = [
        ['entity.too.large', bomb(10), -1],
        ['entity.too.large', claiming(bomb(300 * KIB), 9), 16 * KIB],
        ['entity.too.large', claiming(bomb(17 * KIB), 9), 9],
        ['Z_DATA_ERROR', claiming(bomb(17 * KIB), 9), 20 * KIB], ['Z_DATA_ERROR', claiming(member, 9), 99],
        ['Z_DATA_ERROR', flipped(member, member.length - 6), 99],
        ['Z_DATA_ERROR', flipped(member, member.length - 6), 2], ['Z_DATA_ERROR', flipped(member, 12), 99],
        ['Z_DATA_ERROR', flipped(member, 0), 99], ['Z_DATA_ERROR', Buffer.from('junk'), 9],
        ['Z_DATA_ERROR', Buffer.concat([member, Buffer.from('junk'), Buffer.alloc(4)]), 9],
        ['Z_BUF_ERROR', member.subarray(0, -1), 99], ['Z_BUF_ERROR', claiming(stored(50).subarray(0, -9), 9), 16 * KIB],
        ['Z_BUF_ERROR', claiming(stored(50).subarray(0, -9), 9), 60],
        ['entity.too.large', claiming(stored(50).subarray(0, -9), 9), 2],
        ['entity.too.large', claiming(stored(50).subarray(0, -9), 60), 20],
        ['Z_BUF_ERROR', claiming(stored(50).subarray(0, -9), 60), 55],
        ['Z_BUF_ERROR', claiming(stored(50).subarray(0, -9), 60), 60], ['Z_BUF_ERROR', member.subarray(0, 3), 99]
      ]
      for (const [code, coded, limit] of cases) {
        const oneShot = await gunzip(coded, { limit })
        const stream = await gunzip(coded, { limit, length: null })
        assert.equal(oneShot.result.type ?? oneShot.result.code, code, coded.toString('hex', 0, 60))
        assert.deepEqual({ ...oneShot.result }, { ...stream.result })
        assert.deepEqual([oneShot.result.message, oneShot.count], [stream.result.message, 1])
      }
    })

    for (const [what, coded, code] of [
      ['whose checksum is wrong', flipped(member, member.length - 6), 'Z_DATA_ERROR'],
      ['that is cut, and says that it is as long as the limit', claiming(stored(50).subarray(0, -9), 60), 'Z_BUF_ERROR']
    ]) {
      it(`does not decode a body once more ${what}`, async () => {
        const { exchange, result } = await gunzip(coded, { limit: 60 })
        assert.deepEqual([result.code, exchange.lane], [code, 'one-shot'])
      })
    }

    it('gives out memory of the size of the body, or of the pool of Node', async () => {
      const pool = Buffer.from('pooled').buffer.byteLength
      for (const size of [4, 100, 5 * KIB, 16 * KIB - 1]) {
        const { buffer: { byteLength } } = (await gunzip(bomb(size))).result
        assert.ok(byteLength === pool || byteLength <= size + 64, `${byteLength} for ${size}`)
      }
    })
  })

  describe('stream lane', () => {
    it('takes a request that is aborted or closed for a client that has left, once, although one leads to the other',
      async () => {
        for (const [name, other] of [['aborted', 'close'], ['close', 'aborted']]) {
          const { result, count } = await read(sourceOf('gzip', null), (req) => {
            req.prependListener(name, () => req.emit(other))
            req.emit(name)
          })
          assert.deepEqual([result.type, count], ['request.aborted', 1])
        }
      })

    it('ends when its exchange is aborted', async () => {
      const fault = new Error('aborted')
      const req = new PassThrough()
      const errors = []
      const exchange = createExchange(req)
      sourceOf('gzip', null)(exchange, (_, error) => errors.push(error))
      exchange.failStep(fault, false)
      await turn()
      assert.deepEqual([errors, exchange.onAbort], [[fault], null])
    })

    it('checks first what makes a request unreadable, and tells it in a later turn', async () => {
      let isReturned = false
      const source = (exchange, done) => {
        sourceOf('gzip', null)(exchange, (...result) => done(...result, assert.ok(isReturned)))
        isReturned = true
      }
      const { result } = await read(source, () => {}, { req: new PassThrough().destroy() })
      assert.equal(result.type, 'stream.not.readable')
    })

    it('reports a fault that a decoder emits within the call of `end`, as in Deno', async () => {
      const error = new Error('at once')
      const decoder = Object.assign(new PassThrough(), { end () { this.emit('error', error) } })
      const { result } = await withZlib({ createGunzip: () => decoder, gunzipSync () { throw new Error('no') } },
        (inflate) =>
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
        const { req, result, count } = await withZlib({ createGunzip: () => decoder },
          (inflate) => read(sourceOf('gzip', null, inflate), act))
        assert.equal(result instanceof Error ? result.type ?? result.code : String(result), expected)
        assert.deepEqual([count, decoder.destroyed], [1, true])
        assert.deepEqual(listenedTo(req).filter((name) => name !== 'prefinish'), [])
      })
    }
  })
})
