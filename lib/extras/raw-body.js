'use strict'

// Option `rawBody`: keeps the bytes of the body on the request; with 'coded',
// those before content codings are undone.

const collect = require('../core/collect')
const errors = require('../core/errors')

/** @throws {TypeError} if the option is wrong, or cannot be combined with another */
function createStage ({ rawBody, buffered, inflate }) {
  if (rawBody !== true && rawBody !== 'coded') throw new TypeError("option rawBody must be true, false or 'coded'")
  if (rawBody === 'coded' && buffered) throw new TypeError("option buffered cannot be combined with rawBody: 'coded'")
  if (rawBody === 'coded' && !inflate) throw new TypeError("option rawBody: 'coded' cannot be combined with inflate: false")
  return function keepRawBody (exchange, bytes, proceed) {
    const isKept = rawBody === 'coded' && exchange.lane !== 'identity'
    if (isKept || keep(exchange, bytes)) proceed(exchange, bytes)
  }
}

/** Codings of which the whole body is received, within the limit, before it is decoded. */
function keepCoded (findListed) {
  const findCoding = findListed ?? require('../core/inflate').findCoding
  return (name) => {
    const coding = findCoding(name)
    return coding && {
      stream: (exchange, deliver) => collect(exchange, (exchange, bytes) => {
        if (keep(exchange, bytes)) coding.stream(exchange, deliver, bytes)
      })
    }
  }
}

function keep (exchange, bytes) {
  try {
    exchange.req.rawBody = bytes
    return true
  } catch (error) { // a setter of the app's
    exchange.fail(errors.unparsable(error, bytes))
    return false
  }
}

module.exports = { createStage, keepCoded }
