'use strict'

// Parses forms that may nest, with qs.

const errors = require('../core/errors')
const { lazy } = require('../core/lazy')

const loadQs = lazy(() => require('qs')) // takes longer than loading all of this package

/**
 * @param {object} form the settings that ./parse.js reads; `qs`: further options of qs
 * @returns {(text: string, charset: string, count: number) => object} throws
 *   400 `querystring.parse.rangeError`
 */
function createNestedParse ({ extended, qs: more, ...settings }) {
  return (text, charset, count) => {
    const qs = loadQs()
    try {
      return qs.parse(text, {
        ...settings,
        arrayLimit: extended ? Math.max(100, count) : count,
        ...more,
        charset,
        strictDepth: true
      })
    } catch (error) {
      throw error instanceof RangeError && error.message.includes('depth') ? errors.tooDeep() : error
    }
  }
}

module.exports = { createNestedParse, loadQs }
