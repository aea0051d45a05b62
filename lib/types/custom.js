'use strict'

const { decoderOf } = require('../decode')
const { readCommon, readFunction } = require('../options')
const createReader = require('../read')

/**
 * Makes a middleware that parses bodies of any media type into `req.body`.
 *
 * @param {object} options
 * @param {string | string[] | Function} options.type media type, extension name
 *   or pattern, a list of these, or a function of the request
 * @param {Function} options.parse (content, { charset, req }) -> value, or a
 *   promise of one; what it throws is a 400
 * @param {string | false} [options.charset='utf-8'] the charset of a body that
 *   names none; `false` if `parse` takes bytes
 * @param {number | string} [options.limit='100kb'] most bytes, decoded
 * @param {number | string} [options.drainLimit='64mb'] most bytes to read off
 *   after an error in reading
 * @param {boolean} [options.inflate=true] accept a content coding
 * @param {boolean} [options.codingLists=false] accept several, and x-gzip
 * @param {Function} [options.verify] (req, res, bytes, charset); throws, or
 *   returns a promise that is rejected, to answer 403
 * @param {boolean} [options.rawBody=false] put the bytes on `req.rawBody`
 * @param {boolean} [options.buffered=false] parse what was read before
 * @returns {(req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong or missing
 */
module.exports = function createParser (options) {
  if (!isType(options?.type)) {
    throw new TypeError('option type must be a function, or a media type in lower case, a pattern or a known extension name, or a list of these')
  }
  const settings = readCommon(options)
  const parse = readFunction(options, 'parse')
  if (parse === undefined) throw new TypeError('option parse must be a function')
  const charset = options.charset ?? 'utf-8'
  if (charset !== false && !isCharset(charset)) {
    throw new TypeError('option charset must be one that iconv-lite knows, or false for bytes')
  }

  const read = createReader({
    name: 'custom',
    settings,
    charsets: charset === false ? null : { allows: () => true, fallback: charset.toLowerCase() },
    parse: (content, charset, req) => parse(content, { charset, req }),
    mayWait: true,
    label: () => null
  })

  return function customParser (req, res, next) {
    read(req, res, next)
  }
}

/** Anything else would match no body, or an empty list every body. */
function isType (type) {
  if (typeof type === 'function') return true
  const types = Array.isArray(type) ? type : [type]
  return types.length > 0 && Array.from(types).every((item) => MEDIA_TYPE.test(item) || isShorthand(item))
}

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+*-]+\/[a-z0-9!#$&^_.+*-]+$/ // or a pattern of them

/** `json`, `+json`: what type-is makes a media type of. */
function isShorthand (item) {
  return typeof item === 'string' && /^\+?[a-z0-9.-]+$/.test(item) && require('type-is').normalize(item) !== false
}

function isCharset (charset) {
  return typeof charset === 'string' && charset !== '' && decoderOf(charset.toLowerCase()) !== null
}
