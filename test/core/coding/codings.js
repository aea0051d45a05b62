'use strict'

const assert = require('node:assert/strict')
const { Transform } = require('node:stream')
const zlib = require('node:zlib')
const { decodesFrames } = require('../../../lib/core/platform')
const { createFrameDecoder: createDecoder } = require('../../../lib/core/coding/codings')
const { FrameSplitter } = require('../../../lib/core/coding/frame-headers')
const { arrivals } = require('../../support/arrival')

const hasZstd = zlib.zstdCompressSync !== undefined
const major = parseInt(process.versions.node, 10)

/** A block of RFC 8878, section 3.1.1.2: raw (0), repeated (1) or compressed (2). */
function block (type, size, content, isLast) {
  const header = size << 3 | type << 1 | (isLast ? 1 : 0)
  return Buffer.concat([Buffer.of(header & 0xFF, header >> 8 & 0xFF, header >> 16), content])
}

/** A frame; `sizeFlag` and `dictionaryFlag` as in section 3.1.1.1.1. */
function frame ({
  sizeFlag = 0,
  isSingleSegment = true,
  hasChecksum = false,
  dictionaryFlag = 0,
  blocks = [[0, 1, 'x']]
} = {}) {
  const descriptor = sizeFlag << 6 | (isSingleSegment ? 0x20 : 0) | (hasChecksum ? 4 : 0) | dictionaryFlag
  const rest = (isSingleSegment ? 0 : 1) + [0, 1, 2, 4][dictionaryFlag] + [isSingleSegment ? 1 : 0, 2, 4, 8][sizeFlag]
  return Buffer.concat([
    Buffer.of(0x28, 0xB5, 0x2F, 0xFD, descriptor), Buffer.alloc(rest, 0xFF),
    ...blocks.map(([type, size, content], i) => block(type, size, Buffer.from(content), i === blocks.length - 1)),
    Buffer.alloc(hasChecksum ? 4 : 0, 0xEE)
  ])
}

function skippable (content, number = 0) {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.of(0x50 + number, 0x2A, 0x4D, 0x18), size, Buffer.from(content, 'latin1')])
}

/** Frames of all shapes, which no decoder need understand. */
const shapes = []
for (const sizeFlag of [0, 1, 2, 3]) {
  for (const isSingleSegment of [true, false]) {
    for (const hasChecksum of [true, false]) {
      for (const dictionaryFlag of [0, 1, 2, 3]) {
        shapes.push(frame({ sizeFlag, isSingleSegment, hasChecksum, dictionaryFlag }))
      }
    }
  }
}
shapes.push(
  frame({ blocks: [[0, 0, '']] }),
  frame({ blocks: [[0, 0, ''], [1, 2 ** 20, 'r'], [2, 300, 'c'.repeat(300)], [0, 5, 'hello']] }),
  frame({ blocks: [[1, 0, 'r']], hasChecksum: true }),
  skippable(''), skippable('meta'), skippable('x'.repeat(300), 15), skippable('\x28\xB5\x2F\xFD')
)

function isOneFrame (bytes) {
  const splitter = new FrameSplitter()
  return splitter.split(bytes).length === 1 && splitter.isWhole
}

/** The frames that a splitter finds, put together from their parts. */
function framesOf (pieces, splitter = new FrameSplitter()) {
  const frames = []
  let part = Buffer.alloc(0)
  for (const piece of pieces) {
    for (const bytes of splitter.split(piece)) {
      part = Buffer.concat([part, bytes])
      if (isOneFrame(part)) {
        frames.push(part)
        part = Buffer.alloc(0)
      }
    }
  }
  return { frames: frames.map((bytes) => bytes.toString('hex')), rest: part, isWhole: splitter.isWhole }
}

const hex = (buffers) => buffers.map((bytes) => bytes.toString('hex'))

describe('codings', () => {
  describe('a FrameSplitter', () => {
    it('finds the end of a frame of any shape, and of no part of it', () => {
      for (const bytes of shapes) {
        assert.equal(isOneFrame(bytes), true)
        for (let at = 0; at < bytes.length; at++) {
          assert.equal(isOneFrame(bytes.subarray(0, at)), false, `${at} of ${bytes.toString('hex')}`)
        }
      }
    })

    it('finds the same frames in whatever pieces they come', () => {
      const all = Buffer.concat(shapes)
      for (const [way, pieces] of Object.entries({
        ...arrivals(all),
        bytes: Array.from(all, (byte) => Buffer.of(byte))
      })) {
        const { frames, rest, isWhole } = framesOf(pieces)
        assert.deepEqual([frames, rest.length, isWhole], [hex(shapes), 0, true], way)
      }
      const two = Buffer.concat([shapes[0], shapes[1]])
      for (let at = 0; at <= two.length; at++) {
        assert.deepEqual(framesOf([two.subarray(0, at), two.subarray(at)]).frames, hex(shapes.slice(0, 2)),
          `cut at ${at}`)
      }
    })

    it('reads the headers of empty blocks in their place, as a body may have thousands', () => {
      const bytes = frame({ blocks: Array(1000).fill([0, 0, '']) })
      let calls = 0
      bytes.subarray = (...args) => {
        calls++
        return Buffer.prototype.subarray.apply(bytes, args)
      }
      const pieces = new FrameSplitter().split(bytes)
      assert.deepEqual(hex(pieces), hex([bytes]))
      assert.ok(calls <= 2, `${calls} calls`)
    })

    it('leaves out bytes that follow the last frame', () => {
      for (const junk of ['j', 'jun', 'junk', 'junkjunk', '\0', '\0\0\0\0', '\x28\xB5\x2F']) {
        const bytes = Buffer.concat([shapes[0], Buffer.from(junk, 'latin1')])
        for (const [way, pieces] of Object.entries(arrivals(bytes))) {
          const splitter = new FrameSplitter()
          assert.deepEqual(framesOf(pieces, splitter),
            { frames: hex([shapes[0]]), rest: Buffer.alloc(0), isWhole: true }, way)
          if (junk.length > 3) assert.deepEqual(splitter.split(shapes[1]), [], 'a frame after that')
        }
      }
    })

    it('keeps none of the bytes that follow the last frame', () => {
      const splitter = new FrameSplitter()
      for (const bytes of [shapes[0], Buffer.from('junk'), Buffer.alloc(1000, 'junk')]) splitter.split(bytes)
      assert.equal(splitter.cut.length, 0)
    })

    it('leaves to the decoder what begins with no frame', () => {
      for (const junk of ['junk', 'this is junk', '\x28\xB5\x2F\xFE', '\x4F\x2A\x4D\x18', '\x60\x2A\x4D\x18']) {
        const splitter = new FrameSplitter()
        assert.deepEqual(hex(splitter.split(Buffer.from(junk, 'latin1'))), hex([Buffer.from(junk, 'latin1')]))
        assert.equal(splitter.isWhole, false)
      }
    })

    it('takes 32 frames of any size, and more of 128 bytes on average', () => {
      const isExpensive = (frames) => {
        const splitter = new FrameSplitter()
        splitter.split(Buffer.concat(frames))
        return splitter.isExpensive
      }
      const tiny = frame({ blocks: [[0, 0, '']] })
      const large = skippable('x'.repeat(120))
      assert.equal(large.length, 128)
      assert.equal(isExpensive(Array(34).fill(tiny)), false) // of 9 bytes, so two are free
      assert.equal(isExpensive(Array(35).fill(tiny)), true)
      assert.equal(isExpensive(Array(1000).fill(large)), false)
      const [small, rest] = [skippable(''), skippable('x'.repeat(104))]
      assert.equal(34 * small.length + rest.length, 3 * 128)
      assert.equal(isExpensive([...Array(34).fill(small), rest]), false) // 32, and three of 128 bytes on average
    })
  })

  describe('createDecoder', () => {
    /** What an imitation of zlib is given. */
    async function piecesOf (chunks) {
      const pieces = []
      const transform = (chunk, encoding, done) => {
        pieces.push(chunk)
        setImmediate(done, null, chunk)
      }
      const decoder = createDecoder({
        constants: zlib.constants,
        createZstdDecompress: () => new Transform({ transform })
      })
      decoder.resume()
      for (const chunk of chunks) decoder.write(chunk)
      decoder.end()
      const error = await new Promise((resolve) => decoder.on('end', resolve).on('error', resolve))
      return { pieces: hex(pieces), ...(error && { code: error.code, errno: error.errno, message: error.message }) }
    }
    const cut = { code: 'Z_BUF_ERROR', errno: -5, message: 'unexpected end of file' }

    it('writes one frame after another', async () => {
      assert.deepEqual(await piecesOf([Buffer.concat([shapes[0], shapes[1]]), shapes[2]]), {
        pieces: hex(shapes.slice(0, 3))
      })
      for (const junk of ['j', 'jun', 'junk']) {
        assert.deepEqual(await piecesOf([Buffer.concat([shapes[0], Buffer.from(junk)])]), { pieces: hex([shapes[0]]) })
      }
    })

    it('refuses a body that ends in a frame, or in none', async () => {
      const [one, other] = shapes
      for (const chunks of [[one.subarray(0, -1)], [one, other.subarray(0, 5)], [one.subarray(0, 3)], []]) {
        assert.deepEqual(await piecesOf(chunks), { pieces: hex(chunks), ...cut })
      }
    })

    it('refuses many tiny frames, which would take a call each', async () => {
      assert.deepEqual(await piecesOf([Buffer.concat(Array(1000).fill(shapes[0]))]), {
        pieces: [],
        code: 'Z_DATA_ERROR',
        errno: -3,
        message: 'too many small frames'
      })
    })
  })

  // parsers/zstd.js sends frames of all kinds.
  ;(hasZstd ? describe : describe.skip)('with zlib', () => {
    const { ZSTD_c_checksumFlag: CHECKSUM } = zlib.constants
    const compress = (text) => zlib.zstdCompressSync(text, { params: { [CHECKSUM]: 1 } })

    function decode (pieces) {
      const decoder = createDecoder(zlib)
      const chunks = []
      return new Promise((resolve) => {
        decoder.on('data', (chunk) => chunks.push(chunk))
        decoder.on('end', () => resolve(String(Buffer.concat(chunks))))
        decoder.on('error', ({ code }) => resolve(code))
        for (const piece of pieces) decoder.write(piece)
        decoder.end()
      })
    }

    it('decodes a frame whose pieces are as long as what is left to write', async () => {
      const coded = compress('text')
      for (let first = 1; first < coded.length; first++) {
        for (let second = first + 1; second < coded.length; second++) {
          assert.equal(await decode([coded.subarray(0, first), coded.subarray(first, second), coded.subarray(second)]),
            'text', `${first}, ${second} of ${coded.length}`)
        }
      }
    })

    it('reports what zlib reports', async () => {
      const wrong = compress('text')
      wrong[wrong.length - 1] ^= 1
      assert.equal(await decode([wrong]), 'ZSTD_error_checksum_wrong')
      assert.equal(await decode([frame({ blocks: [[3, 5, 'hello']] })]), 'ZSTD_error_corruption_detected')
      for (const short of [' ', 'abc', '\x28\xB6']) {
        assert.equal(await decode([Buffer.from(short, 'latin1')]), 'ZSTD_error_prefix_unknown', short)
      }
    })

    it('is needed before Node 26 (update this test when an older Node is repaired)', () => {
      assert.equal(decodesFrames(zlib.zstdDecompressSync), major >= 26)
    })
  })

  it('is needed if the decoder takes the part of a frame, or drops the second one', () => {
    const cutOrLonger = (length) => (bytes) => {
      if (bytes.length === 9) throw new Error('cut')
      return { length }
    }
    assert.equal(decodesFrames(cutOrLonger(2)), true)
    assert.equal(decodesFrames(cutOrLonger(1)), false)
    assert.equal(decodesFrames(() => ({ length: 2 })), false)
  })
})
