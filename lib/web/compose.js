'use strict'

const { extend, readOptions, refuseUnsupported } = require('../options')
const { createLimitOf } = require('../checks')
const createMatch = require('./match')

/**
 * What the options decide, once.
 *
 * @param {string} name of the parser
 * @param {unknown} options
 * @param {(settings: object) => object} describe what this type of parser is; see ../compose.js
 */
module.exports = function compose (name, options, describe) {
  refuseUnsupported(options)
  const settings = readOptions(name, options)
  const { limit, type } = settings
  return {
    isAsync: false,
    ...extend({ name, ...describe(settings) }, settings),
    settings,
    matches: createMatch(type),
    limitOf: typeof limit === 'function' ? createLimitOf(limit) : () => limit // bytes
  }
}
