'use strict'

// The charsets of the middleware.

const { createCharsets } = require('../platform')

/** Removes one leading byte order mark. */
function decodeUtf8 (bytes) {
  const isMarked = bytes[0] === 0xEF && bytes[1] === 0xBB && bytes[2] === 0xBF
  return bytes.toString('utf8', isMarked ? 3 : 0)
}

/** `load` loads iconv-lite and its list of charsets, but not the large tables of some. */
const { decoderOf, load } = createCharsets({ decodeUtf8, findIconv: () => require('iconv-lite') })

module.exports = { decoderOf, load }
