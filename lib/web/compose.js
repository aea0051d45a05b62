'use strict'

const { extend, readOptions, refuseUnsupported } = require('../options/read-options')
const { createHeaderMatch, MISMATCH } = require('../core/body/match')
const { createLimitOf, createPredicate, isMediaType, isTypePattern } = require('../core/checks')
const { createOpenDigest } = require('../core/source/content-digest')
const { truncate } = require('../core/wording')
const { mediaTypeOf } = require('./header')
const { decoderOf, findCrypto } = require('./node')

/**
 * Reads the options of a reader, once. In its settings, `type` is a function that tests a media type.
 *
 * @param {string} name of the parser
 * @param {unknown} options
 * @param {(settings: object) => object} describe returns what this type of parser is; see ../compose.js
 */
function compose (name, options, describe) {
  refuseUnsupported(options)
  let types // media types and patterns
  const settings = readOptions(name, options, (type) => {
    types = [type].flat().filter((item) => typeof item === 'string')
    return createTypeTest(type)
  })
  const { contentDigest, limit } = settings
  require('http-errors') // now: a request must not need a file
  const parser = {
    ...extend({ ...PLAIN, name, ...describe(settings) }, settings, false),
    settings,
    types,
    openDigest: contentDigest === null ? null : createOpenDigest(contentDigest, findCreateHash()),
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

/**
 * Refuses extension names such as `json`: type-is, which has a list of them, needs modules of Node.
 *
 * @param {unknown} option `type`
 * @returns {(request: Request, type: string) => boolean}
 */
function createTypeTest (option) {
  if (typeof option === 'function') return createPredicate(option, 'type')
  const types = [option].flat().map((type) => typeof type === 'string' ? type.replace(/^\+/, '*/*+') : type)
  if (types.length === 0 || !types.every(isTypePattern)) {
    throw new TypeError('option type must be a function, a media type in lower case, a pattern such as text/* or ' +
      '+json, or a list of these')
  }
  const sourceOf = (type) => type.replace(/[$^.+]/g, '\\$&').replaceAll('*', '[^/]+')
  const pattern = new RegExp(`^(?:${types.map(sourceOf).join('|')})$`)
  return (request, type) => isMediaType(type) && pattern.test(type)
}

/** For option `contentDigest`. */
function findCreateHash () {
  const crypto = findCrypto()
  if (crypto === undefined) throw new TypeError('option contentDigest needs node:crypto')
  return crypto.createHash
}

/** Stages in `skip` run in the middleware alone; here, `emptyBody` replaces them. */
const PLAIN = {
  isAsync: false,
  skip: [],
  emptyBody: () => undefined,
  isUnreadable: ({ body, bodyUsed }) => bodyUsed || body?.locked === true,
  truncateInput: truncate
}

/** @param {string} reader its name, for the message */
function checkRequest (request, reader) {
  if (typeof request?.headers?.get === 'function') return
  throw new TypeError(`${reader} takes a Request of the web, such as c.req.raw of Hono`)
}

module.exports = { checkRequest, compose, createTypeTest }
