'use strict'

// Option `buffered`: bodies that other code has read before, and left as bytes
// or as text (Cloud Functions, wrappers of Lambda, other middleware).

const { toBuffer } = require('./body/chunk-list')
const { decoderOf } = require('./body/charset')
const errors = require('./errors')
const { EMPTY, Match } = require('./body/match')
const { nextTick } = require('./platform')
const { isConsumed } = require('./request/facts')
const read = require('./read')

/**
 * Intentionally module-level: requests that a parser with this option has
 * parsed. Weak: an entry lasts as long as its request.
 */
const parsed = new WeakSet()

/** The first stage: what a parser with this option has parsed, none of them parses again. */
const markParsed = (proceed) => (exchange, content) => {
  parsed.add(exchange.req)
  proceed(exchange, content)
}

/** Changes a parser that is being composed. */
module.exports = function extendParser (parser) {
  return {
    ...parser,
    before: [markParsed, ...parser.before],
    wrap: (middleware, composed) => parser.wrap(createBufferedParser(middleware, composed), composed)
  }
}

/** @param {Function} middleware for requests that can still be read */
function createBufferedParser (middleware, parser) {
  const replaying = { ...parser, isTraced: true, match: matchConsumed, reader: replay, chooseReader: () => replay }
  const skipping = { ...parser, match: () => EMPTY }
  return Object.defineProperty(bufferedParser, 'name', { value: middleware.name })

  function bufferedParser (req, res, next) {
    if (parsed.has(req)) {
      read(req, res, next, skipping)
    } else if (isConsumed(req) && contentOf(req) !== undefined) {
      read(req, res, next, replaying)
    } else if (typeof req.on === 'function') {
      middleware(req, res, next)
    } else { // not a stream, and without content
      createBody(req)
      read(req, res, next, skipping)
    }
  }

  function matchConsumed (req, headers) {
    createBody(req)
    const match = parser.matchHeader(req, headers)
    // What is text already was decoded by the code that read it.
    const isDecoded = typeof contentOf(req) === 'string' && match.charset !== null && match.decode !== null
    return isDecoded ? new Match({ charset: match.charset, decode: decoderOf('utf-8') }) : match
  }
}

/** The reader: a value on the request. There is nothing to drain after an error. */
function replay (exchange, done) {
  const { limit, match, req } = exchange
  const bytes = toBuffer(contentOf(req))
  exchange.setLane('buffered')
  exchange.count(bytes.length)
  if (bytes.length > limit) refuse(errors.receivedTooLarge(bytes.length, limit))
  else if (match.decode === null) refuse(errors.unsupportedCharset(match.charset))
  else nextTick(done, exchange, null, bytes, bytes.length)

  function refuse (error) {
    nextTick(() => exchange.fail(error))
  }
}

function contentOf ({ rawBody, body }) {
  return [rawBody, body].find((value) => typeof value === 'string' || value instanceof Uint8Array)
}

function createBody (req) {
  if (!('body' in req)) req.body = undefined
}
