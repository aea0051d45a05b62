'use strict'

// Parses forms that may nest, with qs.

const { isRestricted } = require('../../json-keys/define')
const errors = require('../../core/errors')

/**
 * @param {object} [options] of qs, further ones
 * @returns {(text: string, charset: string, count: number) => object} throws 400 `querystring.parse.rangeError`
 */
module.exports = function createNestedParse (settings, options) {
  const { charsetSentinel, depth, extended, interpretNumericEntities, parameterLimit } = settings
  const qs = require('qs') // takes longer to load than all of this package, so only for parsers that are made
  const parse = (text, charset, count, more) => qs.parse(text, {
    allowPrototypes: true,
    arrayLimit: extended ? Math.max(100, count) : count,
    ...options,
    ...more,
    charset,
    charsetSentinel,
    depth,
    interpretNumericEntities,
    parameterLimit,
    strictDepth: true
  })

  const mayFail = options?.allowPrototypes !== false // otherwise qs drops all names of Object.prototype
  let isHardened = mayFail && isRestricted() // the app may restrict Object.prototype later, too

  return function parseNested (text, charset, count) {
    try {
      if (!isHardened) return parse(text, charset, count)
      const parsed = parse(text, charset, count, { plainObjects: true })
      return options?.plainObjects ? parsed : inheritAgain(parsed)
    } catch (error) {
      if (isTooDeep(error)) throw errors.tooDeep()
      if (isHardened || !mayFail || !isRestricted()) throw error
      isHardened = true
      return parseNested(text, charset, count)
    }
  }
}

/** By name, as the error may be of another realm. */
const isTooDeep = (error) => error?.name === 'RangeError' && error.message.includes('depth')

// qs assigns properties by name, which calls inherited setters, and throws where
// Object.prototype is frozen. So its objects get no prototype before it has finished.

function inheritAgain (form) {
  const rest = [form]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    if (Object.getPrototypeOf(value) === null) Object.setPrototypeOf(value, Object.prototype)
    for (const child of Object.values(value)) rest.push(child)
  }
  return form
}
