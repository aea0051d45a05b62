'use strict'

// What all parsers of records are, and what the middleware of each does.

const refuseSkipped = require('../answers/refuse-skipped')
const { EMPTY, precheck } = require('../core/body/match')
const { missingNext } = require('../core/body/read-promise')
const diagnostics = require('../core/insight/diagnostics')
const { nextTick } = require('../core/platform')
const { claim } = require('../core/request/claims')
const { isOver, isRead } = require('../core/request/facts')
const { ignoreErrors, onceOf } = require('../core/request/listen')
const read = require('../read')
const { readChunks } = require('./chunks')
const Records = require('./records')
const RequestBody = require('./request-body')

/**
 * See ../compose.js.
 *
 * @param {object} settings
 * @param {(req: object, parser: object, decode: (bytes: Uint8Array) => string) =>
 *   import('./results').RecordFinder} createFinder of one body
 */
function describeLoop (settings, createFinder) {
  const mayBeOthers = settings.schema === null // no schema can check what other code has made of the body
  const requireOwn = (middleware, parser) => requireRecords(middleware, parser, giveNone)
  const isOwn = (req) => ignoreErrors(() => Records.areOf(settings, req.body)) === true // a getter may throw
  return {
    isOwn,
    refusesRead: mayBeOthers, // a schema refuses that as it refuses content of another type
    wrapMiddleware: mayBeOthers ? (middleware) => middleware : requireOwn,
    wrapRead: requireOwn,
    isUnreadable: isOver, // of what other code has begun to read, the loop tells: there may be none
    isTraced: false, // `next` is called before the body is read; what the loop reads is traced
    createStreamReader: (createDecoder) => (exchange, done) => {
      const { req } = exchange
      const obstacle = precheck(exchange)
      // By other code, which has put back what it has read, if anything. Otherwise, it goes on reading.
      const isBegun = obstacle === null && !isRead(req) && (req.readableFlowing || req.readableDidRead)
      const onBegin = isBegun ? pauseForLoop(exchange) : () => {}
      nextTick(done, exchange, obstacle, RequestBody.begin.bind(null, exchange, createDecoder, onBegin), 0)
    },
    streamStage: (proceed) => (exchange, begin) => giveLoop(exchange, readChunks.bind(null, begin), proceed),
    parseStage: (proceed) => (exchange, bytes) => {
      const begin = RequestBody.replay.bind(null, exchange, bytes)
      giveLoop(exchange, readChunks.bind(null, begin), proceed)
    }
  }

  function giveNone (exchange) {
    giveLoop(exchange, readNothing, exchange.parser.Exchange.end)
  }

  function giveLoop (exchange, createChunks, proceed) {
    const { parser, req } = exchange
    const records = new Records(createChunks, createFinder(req, parser, decode), parser)
    if (!exchange.setField('body', records)) return
    claim(req, 'loop')
    proceed(exchange)
  }
}

async function * readNothing () {
  yield null
}

/**
 * Without a loop it flows on after the response: Node discards nothing that it has begun to read, and the next request
 * of the connection would never come.
 *
 * @returns {() => void} to be called when the loop begins
 */
function pauseForLoop ({ req, res }) {
  const resume = () => req.resume()
  req.pause()
  return onceOf(res, 'close', resume)
}

const decode = ({ buffer, byteLength, byteOffset }) => Buffer.from(buffer, byteOffset, byteLength).toString()

/** An error before the loop is published here, as only what the loop reads is traced (`isTraced`). */
function readRecords (req, res, next, parser) {
  if (typeof next !== 'function') throw missingNext()
  read(req, res, (...error) => {
    if (error.length === 0) next()
    else diagnostics.publishError(parser.name, { req, res, next }, error[0])
  }, parser)
}

/**
 * What `read` calls, and the middleware with a `schema`: `req.body` has records of this parser afterwards, or there is
 * an error. A loop over what other code has left would take the items of an array, the letters of a text, or bytes for
 * records.
 *
 * @param {Function} middleware which leaves what it skips
 * @param {object} parser
 * @param {(exchange: import('../core/body/exchange')) => void} giveNone for a request without content
 */
function requireRecords (middleware, parser, giveNone) {
  const requiring = { ...parser, match: () => EMPTY, runSkipped: refuseSkipped(giveNone) }
  return function requireRecords (req, res, next) {
    if (typeof next !== 'function') throw missingNext()
    middleware(req, res, (...error) => {
      if (error.length > 0 || parser.isOwn(req)) next(...error)
      else readRecords(req, res, next, requiring)
    })
  }
}

module.exports = { describeLoop, readRecords }
