'use strict'

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const { zstdSize } = require('../../../lib/core/coding/frame-headers')

const hex = (text) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('zstdSize', () => {
  // [what, frame, size]: magic number, descriptor and size; block
  const rows = [
    ['a frame of one byte', '28b52ffd 2001 090000 78', 1],
    ['an empty frame', '28b52ffd 2000 010000', 0],
    ['a frame of one stored block', '28b52ffd 200c 610000 6120736d616c6c20626f6479', 12],
    ['a frame with a checksum', '28b52ffd 240c 610000 6120736d616c6c20626f6479 8694b581', 12],
    ['a size of two bytes, which lacks 256', '28b52ffd 602c00 4d0000 1078780100272ac002', 300],
    ['a size of four bytes', '28b52ffd a070110100 550000 10787801006b1139c002', 70_000],
    ['a block that repeats a byte', '28b52ffd 2003 1b0000 78', 3],
    ['no frame', '6a756e6b20616e64206d6f7265', null],
    ['a frame that is cut off behind its size', '28b52ffd 2001 0900', null],
    ['a frame that is cut off in a block\'s header', '28b52ffd a001000000 09', null],
    ['a frame that is cut off in its block', '28b52ffd 200c 610000 6120736d', null],
    ['a frame without its checksum', '28b52ffd 240c 610000 6120736d616c6c20626f6479', null],
    ['bytes behind a frame', '28b52ffd 2001 090000 78 00', null],
    ['a second block', '28b52ffd 2002 080000 78 090000 79', null],
    ['a window, and no size', '28b52ffd 0000 090000 78', null],
    ['a dictionary', '28b52ffd 2101 01 090000 78', null],
    ['a reserved bit', '28b52ffd 2801 090000 78', null],
    ['a size of eight bytes', '28b52ffd e00100000000000000 090000 78', null]
  ]
  for (const [what, frame, size] of rows) {
    it(`is ${size} for ${what}`, () => assert.equal(zstdSize(hex(frame)), size))
  }

  it('is the size of whatever zlib codes in one block', function () {
    if (zlib.zstdCompressSync === undefined) this.skip()
    for (const length of [0, 1, 255, 256, 257, 511, 512, 16_383, 16_384, 65_791, 65_792, 131_072]) {
      assert.equal(zstdSize(zlib.zstdCompressSync(Buffer.alloc(length, 'x'))), length)
    }
  })
})
