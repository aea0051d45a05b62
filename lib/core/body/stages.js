'use strict'

// The stages of a whole body that call code of the app's, which may return a promise: for a request, and for a Request
// (../../web). Each calls the next one, or fails the exchange.

const { isThenable } = require('../checks')
const errors = require('../errors')
const isolateError = require('../isolate-error')

/**
 * What stages need of an exchange: one of ./exchange.js, or the reading of a Request.
 *
 * @typedef {Pick<import('./exchange'), 'req' | 'res' | 'match' | 'body' | 'signal' | 'fail' | 'parseError' |
 *   'setField'>} Exchange
 *
 * @callback Wait goes on with what a promise of the app's gives, but not after the client has left, or the time is over
 * @param {Exchange} exchange
 * @param {PromiseLike<unknown>} promise
 * @param {(value: unknown) => void} onValue
 * @param {(error: unknown) => void} onError
 * @param {boolean} [isOurs] work of this package, which takes the time that its size needs: no deadline ends it
 * @returns {void}
 */

/** Decodes the charset and parses. `parse` is the app's, or takes chunks; it may return a promise. */
function createAsyncParseStage (parse, input, wait) {
  const takesChunks = input === 'chunks' // a parser of ours, which reports errors itself
  return (proceed) => function asyncParseStage (exchange, bytes) {
    const { req, match } = exchange
    let content
    callApp(exchange, () => {
      content = takesChunks ? [bytes].flat() : match.decode(bytes) // a single chunk comes without a list
      return parse(content, match.charset, req, exchange)
    }, setBody, refuse, wait, takesChunks)

    function setBody (value) {
      const textOf = () => takesChunks ? String(Buffer.concat(content)) : content
      if (exchange.setField('body', value, (error) => errors.unparsable(error, textOf()))) proceed(exchange)
    }

    function refuse (error) {
      exchange.fail(takesChunks ? error : exchange.parseError(isolateError(error), content))
    }
  }
}

/** The stage of `verify`, which may return a promise. */
function createVerifyStage (verify, wait) {
  const takesSignal = verify.length > 4 // mocks may count the arguments
  return (proceed) => function verifyStage (exchange, bytes) {
    const args = [exchange.req, exchange.res, bytes, exchange.match.charset]
    if (takesSignal) args.push({ get signal () { return exchange.signal } })
    callApp(exchange, () => verify(...args), () => proceed(exchange, bytes), (error, isRejected) => {
      exchange.fail(errors.unverified(isRejected ? isolateError(error) : error, bytes))
    }, wait)
  }
}

/** The stage of a `schema`, which gives the body its new value. */
const createSchemaStage = (validate, wait) => (proceed) => function schemaStage (exchange) {
  const refuse = (error) => exchange.fail(errors.thrown(error))
  const setBody = (value) => { if (exchange.setField('body', value)) proceed(exchange) }
  wait(exchange, (async () => validate(exchange.body))(), setBody, refuse) // async, as a getter of the app's may throw
}

/** Goes on with what code of the app's returns, or promises. */
function callApp (exchange, call, onValue, onError, wait, isOurs) {
  let value
  let isPromise
  try {
    value = call()
    isPromise = isThenable(value)
  } catch (error) {
    onError(error, false)
    return
  }
  if (isPromise) wait(exchange, value, onValue, (error) => onError(error, true), isOurs)
  else onValue(value)
}

module.exports = { createAsyncParseStage, createSchemaStage, createVerifyStage }
