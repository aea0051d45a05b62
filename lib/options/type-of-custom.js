'use strict'

// Option `type` of createParser, which has no default.

const { isFunction, isTypePattern, required } = require('../core/checks')

/** Any other value would match no body, or, an empty list, every body. */
function isType (type) {
  if (isFunction(type)) return true
  const types = Array.isArray(type) ? type : [type]
  return types.length > 0 && Array.from(types).every((item) => isTypePattern(item) || isShorthand(item))
}

/** `json`, `+json`: names that type-is knows. */
const isShorthand = (item) => require('type-is').normalize(item) !== false && /^\+?[a-z0-9.-]+$/.test(item)

module.exports = required(
  isType,
  'a function, or a media type in lower case, a pattern or a known extension name, or a list of these'
)
