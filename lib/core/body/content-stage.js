'use strict'

const awaitFirstByte = require('../request/first-byte')

/**
 * Makes a stage of the list `skip`, for a request that nobody has read: waits until it is known whether the request
 * has content. If it has none, the next stage follows.
 *
 * @param {(exchange: import('./exchange')) => void} onContent is called if it has some; ends the exchange
 * @returns {import('../../compose').Stage}
 */
module.exports = (onContent) => (proceed) => (exchange) => {
  exchange.beginStep((error) => {
    stop()
    exchange.endStep()
    exchange.fail(error)
  })
  const { req, res } = exchange
  const stop = awaitFirstByte(req, res, (...answer) => exchange.runInAsyncScope(decide, undefined, ...answer))

  function decide (error, hasContent) {
    exchange.endStep()
    if (error !== null) exchange.fail(error)
    else if (hasContent) onContent(exchange)
    else proceed(exchange)
  }
}
