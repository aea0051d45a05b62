'use strict'

const fc = require('fast-check')
const { each, int, joined, large, oneOf, upTo } = require('./draw')

const CURIOUS = [
  '', 'a', '\ufeff', '\ufeffa', '\ufeff\ufeff', 'a\ufeff', '\u00e9', '\u20ac', '\u{1f600}', '\ud800', '\udc00', '\0',
  '\r\n', '$&', '+AGE-', '+', '&', '&-', '\u4e2d\u6587', '\u3042\u30a2', '\u0430\u0431', '\ud840\udc0b'
]

const character = oneOf([6, int(0x20, 0x7E)], [3, int(0, 0xFFFF)], [1, int(0x10000, 0x10FFFF)])
  .map((code) => String.fromCodePoint(code))

/** Any characters, lone surrogates among them. */
const anyString = joined(upTo(20, character))

/** Texts, to be encoded in some charset. */
const plainText = oneOf(
  [8, anyString],
  [4, joined(upTo(8, CURIOUS))],
  [1, large([1, 16, 64, 100, 200], ['x', '\u00e9', '\u{1f600}'], 3)]
)

const INVALID = [
  [0xFF], [0x80], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xB0, 0x80], [0xF0, 0x9F, 0x98],
  [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
  [0xEF, 0xBB, 0xBF], [0xEF, 0xBB], [0xEF], [0xFE, 0xFF], [0xFF, 0xFE], [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF],
  [0x2B, 0x2F, 0x76], [0x84, 0x31, 0x95, 0x33], [0x81], [0xD8, 0x00], [0x00, 0xD8], [0x1B, 0x24, 0x42],
  [0x7B], [0x7D], [0x22], [0x5B], [0x5D], [0x61], [0x20], [0x31]
]

/** Bytes that are not text in most charsets. */
const anyBytes = oneOf(
  [4, upTo(8, INVALID).map((parts) => Buffer.from(parts.flat()))],
  [2, fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes))],
  [
    1,
    each([0, 1, 0x61, 0xFF], [1024, 16383, 16384, 16385, 65536, 102399, 102400, 102401, 262144, 300000])
      .map(([byte, length]) => Buffer.alloc(length, byte))
  ]
)

module.exports = { anyBytes, anyString, plainText }
