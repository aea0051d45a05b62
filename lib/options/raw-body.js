'use strict'

// Option `rawBody`: keeps the bytes of the body on the request, or of some
// requests; with 'coded', those before content codings are undone.

const { createPredicate } = require('../core/checks')
const errors = require('../core/errors')
const { collectFirst } = require('../core/coding/coded-body')

/** Changes a parser that is being composed. */
module.exports = function keepRawBody (parser, { rawBody, buffered, inflate }) {
  const keepsCoded = rawBody === 'coded'
  if (keepsCoded && buffered) throw new TypeError("option buffered cannot be combined with rawBody: 'coded'")
  if (keepsCoded && !inflate) throw new TypeError("option rawBody: 'coded' cannot be combined with inflate: false")
  const isWanted = typeof rawBody === 'function' ? createPredicate(rawBody, 'rawBody') : () => true
  return {
    ...parser,
    keepsBytes: true,
    before: [...parser.before, keepStage],
    findCoding: keepsCoded ? collectFirst(keep, { oneShot: null }) : parser.findCoding
  }

  function keepStage (proceed) {
    return (exchange, bytes) => {
      const isKept = keepsCoded && exchange.lane !== 'identity'
      if (isKept || keepIf(isWanted, exchange, bytes)) proceed(exchange, bytes)
    }
  }
}

/** @returns {boolean} false if the exchange has failed */
function keepIf (isWanted, exchange, bytes) {
  try {
    if (!isWanted(exchange.req)) return true
  } catch (error) {
    exchange.fail(errors.thrown(error))
    return false
  }
  return keep(exchange, bytes)
}

const keep = (exchange, bytes) => exchange.setField('rawBody', bytes, (error) => errors.unparsable(error, bytes))
