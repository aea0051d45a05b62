'use strict'

// The length that lib/core/brotli-header.js reads in a header against what zlib decodes.

const zlib = require('node:zlib')
const decodedLength = require('../../../lib/core/brotli-header')
const { mustEqual, WrongAnswer } = require('../wrong-answer')

const MOST = 1 << 16 // bytes
const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_MODE, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants

/**
 * With an odd first byte, the rest is a stream, mostly a broken one. With an
 * even one, it is compressed first, as the next five bytes say, so that there
 * are streams of every kind of header.
 */
function run (bytes) {
  if (bytes[0] & 1) checkStream(bytes.subarray(1))
  else checkPlain(bytes.subarray(1))
}

function checkPlain (bytes) {
  const [quality = 0, window = 0, mode = 0, hint = 0, times = 0] = bytes
  const plain = Buffer.alloc(Math.min(bytes.length * times * times, MOST), bytes.length > 5 ? bytes.subarray(5) : 'a')
  const coded = zlib.brotliCompressSync(plain, {
    params: {
      [BROTLI_PARAM_QUALITY]: quality % 10, // 10 and 11 take too long
      [BROTLI_PARAM_LGWIN]: 10 + window % 15,
      [BROTLI_PARAM_MODE]: mode % 3,
      [BROTLI_PARAM_SIZE_HINT]: hint * 64
    }
  })
  const declared = decodedLength(coded)
  if (declared !== Infinity) mustEqual(declared, plain.length, () => `the length of ${coded.toString('hex')}`)
  checkStream(coded)
}

/** If a length is declared, no more is decoded; and for a valid stream, no less. */
function checkStream (coded) {
  const declared = decodedLength(coded)
  if (declared === Infinity) return
  let plain
  try {
    plain = zlib.brotliDecompressSync(coded, { maxOutputLength: MOST })
  } catch (error) {
    if (error.code !== 'ERR_BUFFER_TOO_LARGE' || declared > MOST) return
    throw new WrongAnswer(`${coded.toString('hex')}: ${declared} bytes are declared, and it has more than ${MOST}`)
  }
  mustEqual(declared, plain.length, () => `the length of ${coded.toString('hex')}`)
}

module.exports = {
  words: ['\x0b\x00\x80', '\x03', '\x06', '\x3b', '\x1b', '\x8b', '\x21\x00\x00', '\x6b\x00'],
  seeds: [
    '\0\x05\x0c\0\0\x05hello', '\0\0\0\0\0\0', '\0\x09\x06\x01\x01\xffab', '\0\x01\x0e\0\0\x40some text that is a little longer',
    '\x01\x0b\x02\x80hello\x03', '\x01\x3b', '\x01\x06', '\x01\x1b\x04\x00\xf8\x25\x02\xc2\x12\x00\x40'
  ],
  longest: 256,
  run
}
