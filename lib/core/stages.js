'use strict'

const errors = require('./errors')

/** Decodes the charset and parses, synchronously. */
function createParse (parse) {
  return function parseStage (exchange, bytes, proceed) {
    const { req, match } = exchange
    let content
    try {
      content = match.decode(bytes) // throws for more than the engine's longest string
      req.body = parse(content, match.charset, req)
    } catch (error) {
      exchange.fail(errors.unparsable(error, content))
      return
    }
    proceed(exchange)
  }
}

function createVerify (verify) {
  const { isolateError, settle } = require('./async')
  const takesSignal = verify.length > 4
  return function verifyStage (exchange, bytes, proceed) {
    const { req, res, match } = exchange
    const fail = (error) => exchange.fail(errors.unverified(error, bytes))
    let verdict
    let isPromise
    try {
      verdict = takesSignal
        ? verify(req, res, bytes, match.charset, { get signal () { return exchange.signal } })
        : verify(req, res, bytes, match.charset) // mocks may count the arguments
      isPromise = typeof verdict?.then === 'function'
    } catch (error) {
      fail(error)
      return
    }
    if (isPromise) settle(exchange, verdict, () => proceed(exchange, bytes), (error) => fail(isolateError(error)))
    else proceed(exchange, bytes)
  }
}

module.exports = { createParse, createVerify }
