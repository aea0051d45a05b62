'use strict'

// Waits for promises of the app: those of `parse`, `verify` and `schema`.

const { isThenable, tagOf } = require('../checks')
const errors = require('../errors')
const { wait } = require('../lifetime/wait')
const marks = require('../marks')
const onceClientLeaves = require('../request/client')

/** The last stage, for a parser of the app's own, and for one that takes chunks. `parse` may return a promise. */
function createAsyncParseStage (parse, input) {
  const takesChunks = input === 'chunks' // a parser of ours, which reports errors itself
  return (proceed) => function asyncParseStage (exchange, bytes) {
    const { req, match } = exchange
    let content
    callApp(exchange, () => {
      content = takesChunks ? [bytes].flat() : match.decode(bytes) // one chunk is not in a list
      return parse(content, match.charset, req, exchange)
    }, setBody, refuse, takesChunks)

    function setBody (value) {
      const textOf = () => takesChunks ? String(Buffer.concat(content)) : content
      if (exchange.setField('body', value, (error) => errors.unparsable(error, textOf()))) proceed(exchange)
    }

    function refuse (error) {
      exchange.fail(takesChunks ? error : errors.unparsable(isolateError(error), content, {}, true))
    }
  }
}

/** The stage of `verify`, which may return a promise. */
function createVerifyStage (verify) {
  const takesSignal = verify.length > 4 // mocks may count the arguments
  return (proceed) => function verifyStage (exchange, bytes) {
    const args = [exchange.req, exchange.res, bytes, exchange.match.charset]
    if (takesSignal) args.push({ get signal () { return exchange.signal } })
    callApp(exchange, () => verify(...args), () => proceed(exchange, bytes), (error, isRejected) => {
      exchange.fail(errors.unverified(isRejected ? isolateError(error) : error, bytes))
    })
  }
}

/** Goes on with what code of the app's returns, or promises. */
function callApp (exchange, act, onFulfilled, onRejected, isOurs) {
  let value
  let isPromise
  try {
    value = act()
    isPromise = isThenable(value)
  } catch (error) {
    onRejected(error, false)
    return
  }
  if (isPromise) settle(exchange, value, onFulfilled, (error) => onRejected(error, true), isOurs)
  else onFulfilled(value)
}

/**
 * An error that may be given the fields of one request. If the app throws the
 * same object again (a constant, or a cached promise), an object that inherits
 * from it, so that no request sees the body, status or type of another.
 *
 * @param {unknown} error thrown by code of the app
 * @returns {unknown} the same the first time
 */
function isolateError (error) {
  try {
    if (!(error instanceof Error) || !Object.isExtensible(error)) return error // http-errors makes a new one
    marks.originals ??= new WeakMap()
    const original = marks.originals.get(error)
    if (original !== undefined) return Object.create(error, original)
    const { status, statusCode, type } = error
    marks.originals.set(error, { ...descriptorsOf({ status, statusCode, type }), ...describeMessage(error) })
  } catch {} // getters and proxies may throw
  return error
}

/** Descriptors of the message, which is own in every error that is thrown for the first time. */
function describeMessage (error) {
  if (tagOf(error) === '[object DOMException]') { // its getters throw for an object that inherits from it
    const { name, message, code } = error
    return descriptorsOf({ name, message, code })
  }
  const { message } = descriptorsOf(error)
  return message && { message }
}

/** Without prototypes, as somebody may have set `Object.prototype.get`. */
function descriptorsOf (object) {
  const descriptors = Object.getOwnPropertyDescriptors(object)
  for (const descriptor of Object.values(descriptors)) Object.setPrototypeOf(descriptor, null)
  return descriptors
}

/**
 * Waits for a promise of the app's, but not after the client has left or a deadline has passed.
 *
 * @param {boolean} [isOurs] work of this package, which takes the time that its size needs: no deadline ends it
 */
function settle (exchange, promise, onFulfilled, onRejected, isOurs = false) {
  let forgetClient
  wait(promise, { follow, forget }, onFulfilled, onRejected, (fault) => exchange.fail(fault))

  function follow (end) {
    if (!isOurs) exchange.beginStep(end)
    forgetClient = onceClientLeaves(exchange.req, () => {
      exchange.beginStep(end)
      exchange.leave()
    })
  }

  function forget () {
    exchange.endStep()
    forgetClient()
  }
}

module.exports = { createAsyncParseStage, createVerifyStage, isolateError, settle }
