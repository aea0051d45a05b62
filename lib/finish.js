'use strict'

// What happens to the bytes once they are all here: (keep) -> verify ->
// decode -> parse -> next. Which of these there are is decided at creation.

const errors = require('./errors')
const { ensureBody } = require('./gate')
const { settleLater } = require('./loop')

/**
 * @param {object} stages
 * @param {(content: string | Buffer, charset: string | null, req: object) => unknown} stages.parse
 * @param {boolean} stages.mayWait whether `parse` may return a promise
 * @param {Function | undefined} stages.verify
 * @param {boolean} stages.rawBody put the bytes on `req.rawBody`
 * @param {ReturnType<import('./cooperative')> | null} [stages.cooperation=null]
 * @param {(content: string | Buffer) => void} [stages.announce] traces a parse
 * @returns {(exchange: import('./exchange'), bytes: Buffer) => void}
 */
function createFinish ({ parse, mayWait, verify, rawBody, cooperation = null, announce }) {
  const parsed = mayWait ? createPatientParse(parse) : createParse(parse)
  const diverted = cooperation === null ? parsed : cooperation.divert(parsed, announce)
  const verified = verify === undefined ? diverted : createVerify(verify, diverted)
  const kept = rawBody ? createKeep(verified) : verified
  return cooperation === null || kept === diverted ? kept : cooperation.joinFirst(kept)
}

function createParse (parse) {
  return function finish ({ req, next, charset, decode }, bytes) {
    let content
    try {
      content = decode(bytes) // throws over the engine's longest string
      req.body = parse(content, charset, req)
    } catch (error) {
      ensureBody(req)
      next(errors.unparsable(error, content))
      return
    }
    next()
  }
}

/** For a parser of the app's own. */
function createPatientParse (parse) {
  const unshare = require('./unshare') // most apps never need it
  return function finish ({ req, next, charset, decode }, bytes) {
    let content
    let value
    let isPromise
    ensureBody(req)
    try {
      content = decode(bytes)
      value = parse(content, charset, req)
      isPromise = typeof value?.then === 'function'
    } catch (error) {
      fail(error)
      return
    }
    if (isPromise) settleLater(value, succeed, fail)
    else succeed(value)

    function succeed (value) {
      try {
        req.body = value
      } catch (error) { // no setter
        fail(error)
        return
      }
      next()
    }

    function fail (error) {
      next(errors.unparsable(unshare(error), content))
    }
  }
}

function createVerify (verify, finish) {
  const unshare = require('./unshare')
  return function verifyThenFinish (exchange, bytes) {
    const { req, res, next, charset } = exchange
    ensureBody(req)
    let verdict
    let isPromise
    try {
      verdict = verify(req, res, bytes, charset)
      isPromise = typeof verdict?.then === 'function'
    } catch (error) {
      next(errors.unverified(unshare(error), bytes))
      return
    }
    if (!isPromise) {
      finish(exchange, bytes)
      return
    }
    settleLater(verdict, () => finish(exchange, bytes), (error) => next(errors.unverified(unshare(error), bytes)))
  }
}

function createKeep (finish) {
  return function keepThenFinish (exchange, bytes) {
    try {
      exchange.req.rawBody = bytes
    } catch (error) { // no setter
      ensureBody(exchange.req)
      exchange.next(errors.unparsable(error, bytes))
      return
    }
    finish(exchange, bytes)
  }
}

module.exports = createFinish
