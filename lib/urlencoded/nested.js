'use strict'

// Parses forms that may nest, with qs.

const errors = require('../errors')

/**
 * @param {object} [options] of qs, further ones
 * @returns {(text: string, charset: string, count: number) => object} throws 400 `querystring.parse.rangeError`
 */
module.exports = function createNestedParse (settings, options) {
  const { charsetSentinel, depth, extended, interpretNumericEntities, parameterLimit } = settings
  const qs = require('qs') // takes longer to load than all of this package, so only for parsers that are made
  return (text, charset, count) => {
    try {
      return qs.parse(text, {
        allowPrototypes: true,
        arrayLimit: extended ? Math.max(100, count) : count,
        ...options,
        charset,
        charsetSentinel,
        depth,
        interpretNumericEntities,
        parameterLimit,
        strictDepth: true
      })
    } catch (error) {
      throw error instanceof RangeError && error.message.includes('depth') ? errors.tooDeep() : error
    }
  }
}
