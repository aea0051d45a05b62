'use strict'

const { extend, readOptions, refuseUnsupported } = require('../options/read-options')
const { createHeaderMatch, MISMATCH } = require('../core/body/match')
const { createLimitOf } = require('../core/checks')
const { bound } = require('../core/wording')
const decoderOf = require('./charset')
const { mediaTypeOf } = require('./header')
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
  const parser = {
    ...extend({ ...PLAIN, name, ...describe(settings) }, settings, false),
    settings,
    types,
    limitOf: typeof limit === 'function' ? createLimitOf(limit) : () => limit // bytes
  }
  return { ...parser, match: createMatch(parser, types.length === 0) }
}

/**
 * @param {boolean} isFunction whether option `type` is a function, which is asked about each request
 * @returns {(request: Request) => import('../core/body/match').Match}
 */
function createMatch ({ charsets, settings: { type: matches, verify } }, isFunction) {
  const settings = { type: isFunction ? () => true : '', charsets, refusesUnknown: verify !== undefined }
  const matchHeader = createHeaderMatch(settings, () => (value, type) => matches(null, type), decoderOf)
  return (request) => {
    if (isFunction && !matches(request, mediaTypeOf(request))) return MISMATCH
    return matchHeader(request, { 'content-type': request.headers.get('content-type') })
  }
}

/** The stages of `skip` are the middleware's: `emptyBody` does the same here. */
const PLAIN = {
  isAsync: false,
  skip: [],
  emptyBody: () => undefined,
  isUnreadable: ({ body, bodyUsed }) => bodyUsed || body?.locked === true,
  show: bound
}

/** @param {string} reader for the message: what is given something else than a Request */
function checkRequest (request, reader) {
  if (typeof request?.headers?.get === 'function') return
  throw new TypeError(`${reader} takes a Request of the web, such as c.req.raw of Hono`)
}

module.exports = { checkRequest, compose }
