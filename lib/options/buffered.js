'use strict'

// Option `buffered`: bodies that other code has read before, and left as bytes
// or as text (Cloud Functions, wrappers of Lambda, other middleware).

const { isUint8Array } = require('node:util').types
const { toBuffer } = require('../core/source/chunk-list')
const { decoderOf } = require('../core/body/charset')
const diagnostics = require('../core/insight/diagnostics')
const errors = require('../core/errors')
const { EMPTY, Match } = require('../core/body/match')
const { missingNext, RequestReads } = require('../core/body/read-promise')
const { warnOfHiddenLimit } = require('../core/hidden-limit')
const { nextTick } = require('../core/platform')
const { isClaimed } = require('../core/request/claims')
const { isConsumed } = require('../core/request/facts')
const read = require('../read')

/** The first stage: a parser with this option skips what another one has parsed. */
const markParsed = (proceed) => (exchange, content) => {
  RequestReads.of(exchange.req, exchange.res).isParsed = true
  proceed(exchange, content)
}

/** Changes a parser that is being composed. */
module.exports = function takeBuffered (parser) {
  return {
    ...parser,
    before: [markParsed, ...parser.before],
    wrapMiddleware: (middleware, composed) =>
      parser.wrapMiddleware(createBufferedParser(middleware, composed), composed)
  }
}

/** @param {Function} middleware for requests that can still be read */
function createBufferedParser (middleware, parser) {
  const contents = new WeakMap() // request -> what other code has read of it
  const match = createConsumedMatch(contents, parser)
  const reader = parser.withLimit(createReplay(contents))
  const replaying = { ...parser, isTraced: true, match, reader, chooseReader: () => reader, run: parser.runWhole }
  const skipping = { ...parser, match: () => EMPTY }
  return function bufferedParser (req, res, next) {
    if (typeof next !== 'function') throw missingNext()
    const reads = RequestReads.of(req, res)
    if (reads.isParsed || isClaimed(req)) return read(req, res, next, skipping)
    let content
    try {
      if (isConsumed(req)) content = contentOf(req)
    } catch (error) { // of a getter: that of Vercel throws for bad JSON
      diagnostics.publishError(parser.name, { req, res, next }, errors.thrown(error))
      return
    }
    if (content !== undefined) {
      const end = (...error) => {
        reads.endParsing()
        next(...error)
      }
      reads.beginParsing()
      contents.set(req, content)
      read(req, res, end, replaying)
    } else if (typeof req.on === 'function') {
      middleware(req, res, next)
    } else { // neither a stream, nor content
      createBody(req)
      read(req, res, next, skipping)
    }
  }
}

const createConsumedMatch = (contents, { matchHeader }) => (req, headers) => {
  createBody(req)
  const match = matchHeader(req, headers)
  // A text was decoded by the code that read it.
  const isDecoded = typeof contents.get(req) === 'string' && match.charset !== null && match.decode !== null
  return isDecoded ? new Match({ charset: match.charset, decode: decoderOf('utf-8') }) : match
}

/** The reader, which takes a value from the request. There is nothing to drain after an error. */
const createReplay = (contents) => (exchange, done) => {
  const { limit, match, parser, req } = exchange
  const bytes = toBuffer(contents.get(req))
  const refuse = (error) => {
    warnOfHiddenLimit(exchange, error)
    nextTick(() => exchange.fail(error))
  }
  contents.delete(req)
  exchange.setLane('buffered')
  exchange.count(bytes.length)
  if (bytes.length > limit) refuse(errors.receivedTooLarge(bytes.length, limit, parser.createTooLarge))
  else if (match.decode === null) refuse(errors.unsupportedCharset(match.charset, parser.truncateInput))
  else nextTick(done, exchange, null, bytes, bytes.length)
}

/** Bytes in `rawBody` first: a getter of `body` may throw. */
function contentOf (req) {
  const { rawBody } = req
  if (isContent(rawBody)) return rawBody
  const { body } = req
  return isContent(body) ? body : undefined
}

/** Not by `instanceof`, as an array of bytes may be of another realm. */
const isContent = (value) => typeof value === 'string' || isUint8Array(value)

function createBody (req) {
  if (!('body' in req)) req.body = undefined
}
