'use strict'

const { readCommon, readDefaultCharset } = require('../options')
const createReader = require('../read')

/**
 * Makes a middleware that puts the body into `req.body` as a string.
 *
 * @param {object} [options]
 * @param {number | string} [options.limit='100kb'] most bytes, decoded
 * @param {number | string} [options.drainLimit='64mb'] most bytes to read off
 *   after an error in reading
 * @param {boolean} [options.inflate=true] accept a content coding
 * @param {boolean} [options.codingLists=false] accept several, and x-gzip
 * @param {string | string[] | Function} [options.type='text/plain']
 * @param {Function} [options.verify] (req, res, bytes, charset); throws, or
 *   returns a promise that is rejected, to answer 403
 * @param {string} [options.defaultCharset='utf-8']
 * @param {boolean} [options.rawBody=false] put the bytes on `req.rawBody`
 * @param {boolean} [options.buffered=false] parse what was read before
 * @returns {(req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function text (options) {
  const read = createReader({
    name: 'text',
    settings: readCommon(options, 'text/plain'),
    charsets: { allows: () => true, fallback: readDefaultCharset(options) },
    parse: (text) => text,
    label: () => null
  })

  return function textParser (req, res, next) {
    read(req, res, next)
  }
}
