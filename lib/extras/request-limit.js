'use strict'

// Option `limit` as a function of the request.

const { readBytes } = require('../core/options')

/** Sets the limit before anything is read; throws what `limitOf` throws, or a TypeError for what is no size. */
module.exports = function limitEach (limitOf) {
  return (exchange) => exchange.bound(readBytes('limit', limitOf(exchange.req) ?? 'nothing'), null)
}
