'use strict'

const { readCommon } = require('../options')
const createReader = require('../read')

/**
 * Makes a middleware that puts the bytes of the body into `req.body`.
 *
 * @param {object} [options]
 * @param {number | string} [options.limit='100kb'] most bytes, decoded
 * @param {number | string} [options.drainLimit='64mb'] most bytes to read off
 *   after an error in reading
 * @param {boolean} [options.inflate=true] accept a content coding
 * @param {boolean} [options.codingLists=false] accept several, and x-gzip
 * @param {string | string[] | Function} [options.type='application/octet-stream']
 * @param {Function} [options.verify] (req, res, bytes, null); throws, or
 *   returns a promise that is rejected, to answer 403
 * @param {boolean} [options.rawBody=false] put the bytes on `req.rawBody`
 * @param {boolean} [options.buffered=false] parse what was read before
 * @returns {(req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function raw (options) {
  const read = createReader({
    name: 'raw',
    settings: readCommon(options, 'application/octet-stream'),
    charsets: null,
    parse: (bytes) => bytes,
    label: () => null
  })

  return function rawParser (req, res, next) {
    read(req, res, next)
  }
}
