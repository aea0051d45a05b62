'use strict'

const awaitFirstByte = require('../request/first-byte')

/**
 * A stage for a request that the parser skips, and that nobody has read: goes on once it is known that it has no
 * content, or that it has some.
 *
 * @param {(exchange: import('./exchange')) => void} onContent ends the exchange
 */
module.exports = (onContent) => (proceed) => (exchange) => {
  exchange.beginStep((error) => {
    stop()
    exchange.endStep()
    exchange.fail(error)
  })
  const { req, res } = exchange
  const stop = awaitFirstByte(req, res, (...told) => exchange.runInAsyncScope(goOn, undefined, ...told))

  function goOn (error, hasContent) {
    exchange.endStep()
    if (error !== null) exchange.fail(error)
    else if (hasContent) onContent(exchange)
    else proceed(exchange)
  }
}
