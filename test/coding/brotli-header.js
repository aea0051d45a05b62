'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const zlib = require('node:zlib')
const decodedLength = require('../../lib/core/brotli-header')

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_OPERATION_FLUSH } = zlib.constants

function compress (bytes, quality = 5, window = 22) {
  return zlib.brotliCompressSync(bytes, { params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_LGWIN]: window } })
}

describe('brotli-header', () => {
  it('declares the exact length for every window and length, or none', () => {
    const lengths = fc.oneof(fc.nat(70), fc.nat(70_000), fc.constantFrom(65536, 65537, 1 << 20, (1 << 20) + 1))
    fc.assert(fc.property(lengths, fc.integer({ min: 2, max: 9 }), fc.integer({ min: 10, max: 24 }), (length, quality, window) => {
      const known = decodedLength(compress(Buffer.alloc(length, '{"name":"value"}'), quality, window))
      assert.ok(known === length || known === Infinity, `${known}`)
    }), { numRuns: 300 })
  })

  it('declares the length of every small body', () => {
    for (let length = 97; length < 20_000; length += 97) { // encoders do not compress what is tiny
      const text = JSON.stringify(Array.from({ length: length / 8 }, (_, i) => i * 7919 % 104729))
      assert.equal(decodedLength(compress(text)), text.length)
    }
  })

  it('declares no length if there is more than one meta-block', async () => {
    const encoder = zlib.createBrotliCompress({ flush: BROTLI_OPERATION_FLUSH })
    encoder.write('first')
    encoder.end('second')
    assert.equal(decodedLength(Buffer.concat(await encoder.toArray())), Infinity)
  })

  it('declares no length for metadata, nor for an empty body', () => {
    assert.equal(decodedLength(Buffer.of(0b11010)), Infinity) // one bit of window, last, not empty, three for nibbles
    assert.equal(decodedLength(Buffer.alloc(0)), Infinity)
  })

  it('is believed although it may be wrong', () => {
    assert.equal(decodedLength(Buffer.of(0b00000010, 0, 0, 0)), 1)
    assert.equal(decodedLength(Buffer.of(0b00010010, 0xFF, 0xFF, 0xFF, 0xFF)), 2 ** 24 - 0b111)
  })
})
