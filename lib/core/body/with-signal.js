'use strict'

/**
 * What code of the app's gets: the signal that ends its work is made when it is asked for.
 *
 * @param {object} fields
 * @param {{ readonly signal: AbortSignal }} exchange
 * @returns {object} the same, with `signal`
 */
module.exports = function withSignal (fields, exchange) {
  const get = () => exchange.signal
  return Object.defineProperty(fields, 'signal', { __proto__: null, get, configurable: true, enumerable: true })
}
