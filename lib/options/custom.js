'use strict'

// Options that createParser alone has. Needs type-is and iconv-lite.

const { decoderOf } = require('../core/body/charset')
const { isFunction, isTypePattern, required } = require('../core/checks')

/** @returns the charset of bodies that declare none, in lower case; false for a parser of bytes */
function readCharset (value, name, fallback) {
  const charset = value ?? fallback
  if (charset === false) return false
  if (typeof charset === 'string' && decoderOf(charset) !== null) return charset.toLowerCase()
  throw new TypeError(`option ${name} must be one that iconv-lite knows, or false for bytes`)
}

/** Any other value would never match, but an empty list would match every body. */
function isType (type) {
  if (isFunction(type)) return true
  const types = Array.isArray(type) ? type : [type]
  return types.length > 0 && Array.from(types).every((item) => isTypePattern(item) || isShorthand(item))
}

/** `json`, `+json`: names that type-is knows. */
const isShorthand = (item) => require('type-is').normalize(item) !== false && /^\+?[a-z0-9.-]+$/.test(item)

const checkType = required(
  isType,
  'a function, or a media type in lower case, a pattern or a known extension name, or a list of these'
)

module.exports = { checkType, readCharset }
