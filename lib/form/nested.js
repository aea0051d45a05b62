'use strict'

// Parses forms that may nest, with qs.

const errors = require('../core/errors')
const { lazy } = require('../core/lazy')

const loadQs = lazy(() => require('qs')) // takes longer than loading all of this package

/**
 * @param {object} settings
 * @param {boolean} settings.extended
 * @param {number} settings.depth
 * @param {number} settings.parameterLimit
 * @param {boolean} settings.allowPrototypes
 * @param {boolean} settings.charsetSentinel
 * @param {boolean} settings.interpretNumericEntities
 * @returns {(text: string, charset: string, count: number) => object} throws
 *   400 `querystring.parse.rangeError`
 */
function createNestedParse ({ extended, ...settings }) {
  return (text, charset, count) => {
    const qs = loadQs()
    try {
      return qs.parse(text, {
        ...settings,
        arrayLimit: extended ? Math.max(100, count) : count,
        charset,
        strictDepth: true
      })
    } catch (error) {
      throw error instanceof RangeError ? errors.tooDeep() : error
    }
  }
}

module.exports = { createNestedParse, loadQs }
