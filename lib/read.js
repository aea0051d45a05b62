'use strict'

const collect = require('./body/collect')
const drain = require('./request/drain')
const errors = require('./errors')
const Exchange = require('./body/exchange')
const { noteMismatch, MISMATCH } = require('./body/match')
const { checkNext } = require('./body/read-promise')
const diagnostics = require('./insight/diagnostics')

/**
 * The way of one request: match -> source of bytes -> stages -> next.
 *
 * Every middleware calls this function, through the export of this file, for
 * each request. Tools that instrument body-parser replace the export of its
 * file of this name, so they work here as well.
 *
 * @param {import('node:http').IncomingMessage} req
 * @param {import('node:http').ServerResponse} res
 * @param {(error?: unknown) => void} next called exactly once
 * @param {import('./compose').Parser} parser what the options decided
 */
function read (req, res, next, parser) {
  checkNext(next)
  const match = parser.match(req, req.headers)
  if (match === MISMATCH) noteMismatch(req, parser.settings.type)
  if (match.skip && parser.runSkipped === null) {
    next()
    return
  }
  const parts = { req, res, next, match, parser }
  if (diagnostics.channel.hasSubscribers && parser.isTraced) diagnostics.trace(parts, readContent)
  else readContent(new Exchange(parts))
}

function readContent (exchange) {
  const { match, parser } = exchange
  if (match.skip) {
    parser.runSkipped(exchange)
    return
  }
  if (match.refusal !== null) {
    exchange.fail(errors.unsupportedCharset(match.charset))
    return
  }
  let source
  try {
    source = parser.source ?? chooseSource(exchange)
    if (parser.limitOf !== null) exchange.limit = parser.limitOf(exchange.req)
  } catch (error) {
    exchange.fail(errors.thrown(error))
    return
  }
  source(exchange, done)

  /** A request emits its events in the async context of its socket; what follows runs in that of the middleware's caller. */
  function done (error, content, length) {
    exchange.runInAsyncScope(finish, undefined, exchange, error, content, length)
  }
}

/**
 * A source reads the content and hands it, with its length in bytes, to the
 * function that it is given, or the error that makes it unreadable. It calls
 * that function once, and not within its own call.
 *
 * @typedef {(exchange: Exchange, done: (error: Error | null, content?: Buffer | Buffer[], length?: number) => void) => void} Source
 * @returns {Source}
 * @throws {Error} 415 for a content coding that this parser does not undo
 */
function chooseSource (exchange) {
  const { parser, req: { headers } } = exchange
  const field = headers['content-encoding']
  if (!field || (typeof field === 'string' && field.toLowerCase() === 'identity')) {
    exchange.length = declaredLength(headers)
    return parser.createSource === null ? collect : parser.createSource(null)
  }
  const name = field.toLowerCase() // throws a TypeError if an adapter's field is not a string
  if (parser.codings === null) throw errors.codingRefused(name)
  const { chooseLane, codingNames, findCoding } = parser.codings
  const coding = (parser.findCoding ?? findCoding)(name)
  if (coding === undefined) throw errors.unsupportedCoding(name, codingNames())
  if (parser.createSource !== null) return parser.createSource(coding.createDecoder)
  const isFramed = headers['transfer-encoding'] === undefined
  return chooseLane(coding, isFramed ? declaredLength(headers) : null)
}

/** Bytes; null if not declared. As lenient about numbers as body-parser. */
function declaredLength (headers) {
  const value = headers['content-length']
  if (value === undefined || value === null) return null
  const isNumber = headers['transfer-encoding'] === undefined || !isNaN(value) // match has seen it, and each look takes 60 ns
  return isNumber ? parseInt(value, 10) : null
}

/** What follows every source: the stages (keep, verify, decode, parse, check), or the error path. */
function finish (exchange, error, content, length) {
  if (error) {
    drain(exchange, error)
  } else {
    exchange.complete(length)
    exchange.parser.run(exchange, content)
  }
}

module.exports = read
