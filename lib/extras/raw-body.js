'use strict'

const errors = require('../core/errors')

/** The stage of the option `rawBody`: keeps the bytes on the request. */
module.exports = function keepRawBody (exchange, bytes, proceed) {
  try {
    exchange.req.rawBody = bytes
  } catch (error) { // a setter of the app's
    exchange.fail(errors.unparsable(error, bytes))
    return
  }
  proceed(exchange, bytes)
}
