'use strict'

const { extend, readOptions, refuseUnsupported } = require('../options/read-options')
const { createLimitOf } = require('../core/checks')
const createTypeTest = require('./match')

/**
 * What the options decide, once; in place of the option `type`, a function.
 *
 * @param {string} name of the parser
 * @param {unknown} options
 * @param {(settings: object) => object} describe what this type of parser is; see ../compose.js
 */
function compose (name, options, describe) {
  refuseUnsupported(options)
  let types // media types and patterns
  const settings = readOptions(name, options, (type) => {
    types = [type].flat().filter((item) => typeof item === 'string')
    return createTypeTest(type)
  })
  const { limit } = settings
  require('http-errors') // now: a request must not need a file
  return {
    ...extend({ ...PLAIN, name, ...describe(settings) }, settings, false),
    settings,
    types,
    limitOf: typeof limit === 'function' ? createLimitOf(limit) : () => limit // bytes
  }
}

/** The stages of `skip` are the middleware's: `emptyBody` does the same here. */
const PLAIN = { isAsync: false, skip: [], emptyBody: () => undefined }

/** @param {string} reader for the message: what is given something else than a Request */
function checkRequest (request, reader) {
  if (typeof request?.headers?.get === 'function') return
  throw new TypeError(`${reader} takes a Request of the web, such as c.req.raw of Hono`)
}

module.exports = { checkRequest, compose }
