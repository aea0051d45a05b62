'use strict'

const { readBytes } = require('./checks')
// Loaded now: a request must not need a file (no descriptor may be left).
require('bytes')
require('./warnings')

/**
 * Option `limit` as a function of the request.
 *
 * @param {(request: object) => number | string} limitOf
 * @returns {(request: object) => number} the limit in bytes; throws what
 *   `limitOf` throws, and a TypeError if it does not return a size
 */
module.exports = function createLimitOf (limitOf) {
  return (request) => {
    const limit = limitOf(request)
    limit?.then?.(undefined, () => {}) // the TypeError is enough; a promise's own error would crash the process
    return readBytes('limit', limit ?? String(limit))
  }
}
