'use strict'

const { extend, readOptions, refuseUnsupported } = require('../options')
const { createLimitOf } = require('../checks')
const createTypeTest = require('./match')

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
  const settings = readOptions(name, options, (type) => { matches = createTypeTest(type) })
  const { limit } = settings
  return {
    ...extendParse({ ...PLAIN, name, ...describe(settings) }, settings),
    settings,
    matches,
    limitOf: typeof limit === 'function' ? createLimitOf(limit) : () => limit // bytes
  }
}

const PLAIN = { isAsync: false, before: [], after: [], skip: [], emptyBody: () => undefined }

/** @throws {TypeError} for an option that changes what only the middleware has, as its row lacks `web: false` */
function extendParse (plain, settings) {
  const parser = extend(plain, settings)
  const isEmptyBodySet = parser.emptyBody !== plain.emptyBody // does here what a stage of `skip` does
  const shared = ['charsets', 'isAsync', 'parse', ...isEmptyBodySet ? ['emptyBody', 'skip'] : []]
  const field = Object.keys(parser).find((key) => parser[key] !== plain[key] && !shared.includes(key))
  if (field === undefined) return parser
  throw new TypeError(`an option of ${plain.name} changes ${field}, which fast-body-parser/web does not have`)
}

/** @param {string} reader for the message: what is given something else than a Request */
function findMistake (request, reader) {
  if (typeof request?.headers?.get === 'function') return null
  return new TypeError(`${reader} takes a Request of the web, such as c.req.raw of Hono`)
}

module.exports = { compose, findMistake }
