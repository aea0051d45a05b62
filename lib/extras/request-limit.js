'use strict'

// Option `limit` as a function of the request.

const { readBytes } = require('../core/options')

/** The limit in bytes; throws what `limitOf` throws, or a TypeError for what is no size. */
module.exports = function limitFor (limitOf, request) {
  const limit = limitOf(request)
  limit?.then?.(undefined, () => {}) // of a promise, the TypeError says enough
  return readBytes('limit', limit ?? String(limit))
}
