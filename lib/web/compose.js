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
function compose (name, options, describe) {
  let matches
  refuseUnsupported(options)
  const settings = readOptions(name, options, (type) => { matches = createMatch(type) })
  const { limit } = settings
  return {
    isAsync: false,
    ...extend({ name, ...describe(settings) }, settings),
    settings,
    matches,
    limitOf: typeof limit === 'function' ? createLimitOf(limit) : () => limit // bytes
  }
}

/** @param {string} reader for the message: what is given something else than a Request */
function findMistake (request, reader) {
  if (typeof request?.headers?.get === 'function') return null
  return new TypeError(`${reader} takes a Request of the web, such as c.req.raw of Hono`)
}

module.exports = { compose, findMistake }
