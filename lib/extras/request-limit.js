'use strict'

// Option `limit` as a function of the request.

const { readBytes } = require('../core/options')

/** The limit in bytes. Throws what `limitOf` throws, and a TypeError if it does not return a size. */
module.exports = function limitFor (limitOf, request) {
  const limit = limitOf(request)
  limit?.then?.(undefined, () => {}) // the TypeError is enough; a promise's own error would crash the process
  return readBytes('limit', limit ?? String(limit))
}
