'use strict'

// The checks of `budget`, of the type and the charset of createParser, and of
// the charset of forms with files.
// fast-body-parser/web has none of them: `browser` of package.json leaves this
// file out of bundles for browsers, as it needs modules of Node.

const { isFunction, isTypePattern, kind, required } = require('../core/checks')

/** Any other value would match no body, or, an empty list, every body. */
function isType (type) {
  if (isFunction(type)) return true
  const types = Array.isArray(type) ? type : [type]
  return types.length > 0 && Array.from(types).every((item) => isTypePattern(item) || isShorthand(item))
}

const readType = required(
  isType,
  'a function, or a media type in lower case, a pattern or a known extension name, or a list of these'
)

/** `json`, `+json`: names that type-is knows. */
const isShorthand = (item) => require('type-is').normalize(item) !== false && /^\+?[a-z0-9.-]+$/.test(item)

/** The charset of a body that names none, in lower case; false for a parser of bytes. */
function readCharset (value) {
  const charset = value ?? 'utf-8'
  const isKnown = typeof charset === 'string' && require('../core/body/charset').decoderOf(charset) !== null
  if (charset === false) return false
  if (!isKnown) throw new TypeError('option charset must be one that iconv-lite knows, or false for bytes')
  return charset.toLowerCase()
}

/** Charset of the fields of a form that name none, in lower case. */
function readFormCharset (value) {
  const charset = value ?? 'utf-8'
  const label = typeof charset === 'string' ? charset.toLowerCase() : ''
  if (require('../uploads/parts/charset').partDecoderOf(label) !== null) return label
  const kinds = 'of the Encoding Standard, and a superset of ASCII, such as windows-1252'
  throw new TypeError(`option defaultCharset must be a charset ${kinds}`)
}

const checkBudget = kind(
  (budget) => budget instanceof require('../core/guards/budget').Budget,
  'made by createBudget()'
)

module.exports = { checkBudget, readCharset, readFormCharset, readType }
