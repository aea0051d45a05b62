'use strict'

// The way of a request: gate -> collect -> (inflate) -> verify -> decode ->
// parse -> next. What the options decide is decided in createReader; what is
// left for `read` is what depends on the request.

const { collect } = require('./collect')
const errors = require('./errors')
const Exchange = require('./exchange')
const { codingOf, collectCoded } = require('./inflate')
const { joinForGood, joinForNow } = require('./join')
const { trace, tracerOf } = require('./trace')
const { createGate, ensureBody } = require('./gate')

const { nextTick } = process

/**
 * @param {object} parser
 * @param {string} parser.name names the debug channel
 * @param {ReturnType<import('./options').readCommon>} parser.settings
 * @param {object | null} parser.charsets see gate.js
 * @param {(content: string | Buffer, charset: string | null) => unknown} parser.parse
 * @param {(content: string | Buffer) => string | null} parser.label the last
 *   line of a trace
 * @returns {(req: object, res: object, next: Function) => void}
 */
function createReader ({ name, settings, charsets, parse, label }) {
  const { type, verify } = settings
  const gate = createGate({ type, charsets, early: verify !== undefined })
  const join = charsets === null || verify !== undefined ? joinForGood : joinForNow
  const debug = tracerOf(name)
  const stages = { gate, verify, parse }
  return assemble(settings, join, debug === null ? stages : trace(stages, label, settings.inflate, debug))
}

function assemble ({ drainLimit, inflate, limit }, join, { gate, verify, parse }) {
  const finish = verify === undefined ? createFinish(parse) : createVerify(verify, createFinish(parse))
  const readCoded = inflate ? createInflate(limit, drainLimit, finish) : refuseCoded

  return function read (req, res, next) {
    const headers = req.headers
    const decision = gate(req, headers)
    if (decision.skip) {
      next()
      return
    }
    if (decision.refused !== null) {
      next(errors.unsupportedCharset(decision.charset))
      return
    }
    const coding = headers['content-encoding']
    if (!coding || coding.toLowerCase() === 'identity') {
      collect(new Exchange(req, res, next, decision, limit, declaredLength(headers), finish, drainLimit, join))
    } else {
      readCoded(req, res, next, decision, coding.toLowerCase())
    }
  }
}

/** Bytes; null if not declared. Lenient about numbers, like body-parser. */
function declaredLength (headers) {
  const value = headers['content-length']
  return value === undefined || value === null || isNaN(value) ? null : parseInt(value, 10)
}

function createInflate (limit, drainLimit, finish) {
  return (req, res, next, decision, name) => {
    const coding = codingOf(name)
    if (coding === undefined) {
      ensureBody(req)
      next(errors.unsupportedCoding(name))
      return
    }
    const exchange = new Exchange(req, res, next, decision, Infinity, null, finish, drainLimit, joinForGood)
    const chunked = req.headers['transfer-encoding'] !== undefined
    collectCoded(exchange, coding, limit, chunked ? null : declaredLength(req.headers))
  }
}

function refuseCoded (req, res, next, decision, name) {
  ensureBody(req)
  next(errors.codingRefused(name))
}

function createFinish (parse) {
  return function finish ({ req, next, charset, decode }, bytes) {
    let content
    try {
      content = decode(bytes) // throws over the engine's longest string
      req.body = parse(content, charset)
    } catch (error) {
      ensureBody(req)
      next(errors.unparsable(error, content))
      return
    }
    next()
  }
}

function createVerify (verify, finish) {
  return function verifyThenFinish (exchange, bytes) {
    const { req, res, next, charset } = exchange
    ensureBody(req)
    let verdict
    let isPromise
    try {
      verdict = verify(req, res, bytes, charset)
      isPromise = typeof verdict?.then === 'function'
    } catch (error) {
      next(errors.unverified(error, bytes))
      return
    }
    if (!isPromise) {
      finish(exchange, bytes)
      return
    }
    // Leave the promise's own call stack: what `next` throws is no rejection.
    Promise.resolve(verdict).then(
      () => nextTick(finish, exchange, bytes),
      (error) => nextTick(() => next(errors.unverified(error, bytes)))
    )
  }
}

module.exports = createReader
