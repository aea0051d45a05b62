'use strict'

const errors = require('./core/errors')
const { noteMismatch, MISMATCH } = require('./core/body/match')
const { missingNext } = require('./core/body/read-promise')
const diagnostics = require('./core/insight/diagnostics')
const sharedTables = require('./core/shared-tables')
const { drain } = require('./core/request/drain')
const { isFetchRequest } = require('./core/request/facts')

/**
 * A reader of whole bodies hands the content, with its length in bytes, to the
 * function that it is given, or the error that makes it unreadable. It calls
 * that function once, and never before it has returned itself.
 *
 * A stream reader does the same with what the content can be had from: a form
 * that has taken all of it, or a function that creates the chunks of a loop. A
 * parser has one kind of readers, and a list of stages for what they give.
 *
 * @typedef {import('./core/body/exchange')} Exchange
 * @typedef {(exchange: Exchange, error: Error | null, content?: Buffer | Buffer[], length?: number) => void} Done
 * @typedef {(exchange: Exchange, done: Done) => void} Reader
 * @typedef {(exchange: Exchange, error: Error | null, source?: unknown, length?: number) => void} StreamDone
 * @typedef {(exchange: Exchange, done: StreamDone) => void} StreamReader
 */

/**
 * The way of one request: match -> reader -> stages -> next.
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
  if (typeof next !== 'function') throw missingNext()
  const { headers } = req
  const match = parser.match(req, headers)
  if (match === MISMATCH) noteMismatch(req, parser.settings.type)
  if (match.skip) {
    if (isFetchRequest(req, headers)) return refuseFetchRequest(parser, { req, res, next })
    sharedTables.passed?.get(req)?.() // a refuseUnparsed in front of the parsers warns of that order
  }
  // Most requests that a parser skips end here, without one more call.
  if (match.skip && parser.runSkipped === null) {
    next()
    return
  }
  const call = { req, res, next, match, parser }
  if (diagnostics.channel.hasSubscribers && parser.isTraced) diagnostics.trace(call, readContent)
  else readContent(new parser.Exchange(call))
}

/** The header of a Fetch Request looks empty here, so that it would pass as a request without a body. */
function refuseFetchRequest ({ isTraced, name }, call) {
  const error = errors.fetchRequest(name)
  if (isTraced) diagnostics.publishError(name, call, error)
  else call.next(error) // the caller of `read` publishes the error: see ./records/describe.js
}

function readContent (exchange) {
  const { match, parser, req } = exchange
  if (match.skip) {
    parser.runSkipped(exchange)
    return
  }
  if (match.refusal !== null) {
    exchange.fail(refusalOf(exchange))
    return
  }
  let reader
  try {
    reader = exchange.isCoded ? parser.chooseReader(req.headers) : parser.reader
  } catch (error) {
    exchange.fail(errors.thrown(error))
    return
  }
  try {
    reader(exchange, done)
  } catch (error) { // the request is no stream: this is thrown at the caller, once the guards have let it go
    exchange.releaseGuards()
    throw error
  }
}

/** @returns {Error} why the header, or the state of the request, is refused */
function refusalOf (exchange) {
  const { match: { charset, refusal }, parser, req } = exchange
  if (refusal === 'malformed') return errors.malformedType()
  if (refusal === 'read') return req.aborted === true ? exchange.aborted() : errors.readBefore(parser.name)
  return errors.unsupportedCharset(charset, parser.truncateInput)
}

/**
 * A request emits its events in the async context of its socket; what follows
 * runs in that of the middleware's caller.
 *
 * @type {Done}
 */
function done (exchange, error, content, length) {
  exchange.runInAsyncScope(afterReading, undefined, exchange, error, content, length)
}

/** What follows every reader: the stages of its parser (keep, verify, decode, parse, check), or the error path. */
function afterReading (exchange, error, content, length) {
  if (error) {
    drain(exchange, error)
  } else {
    exchange.setDecoded(length)
    exchange.parser.run(exchange, content)
  }
}

module.exports = read
