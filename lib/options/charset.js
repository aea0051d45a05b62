'use strict'

// Option `charset` of createParser: that of a body that names none, in lower case; false for a parser of bytes.

const { decoderOf } = require('../core/body/charset')

module.exports = function readCharset (value, name, fallback) {
  const charset = value ?? fallback
  if (charset === false) return false
  if (typeof charset === 'string' && decoderOf(charset) !== null) return charset.toLowerCase()
  throw new TypeError(`option ${name} must be one that iconv-lite knows, or false for bytes`)
}
