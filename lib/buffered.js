'use strict'

// Bodies that somebody else has read before us, and left as bytes or as text:
// Cloud Functions, wrappers of Lambda, other middleware.

const { refuse, watch } = require('./channel')
const { decoderOf, decodeNothing } = require('./decode')
const errors = require('./errors')
const Exchange = require('./exchange')
const { ensureBody, isFinished } = require('./gate')
const { joinForGood } = require('./join')
const { nextTick } = require('./loop')

const parsed = new WeakSet() // requests that a parser with this option has had

/**
 * Reads what is left of a request that nothing can be read of any more, and
 * leaves all other requests to `read`.
 *
 * @param {object} parser
 * @param {string} parser.name
 * @param {(req: object, headers: object) => import('./gate').Decision} parser.gate
 * @param {number} parser.limit bytes
 * @param {(exchange: Exchange, bytes: Buffer) => void} parser.finish
 * @param {(req: object, res: object, next: Function) => void} read
 * @returns {(req: object, res: object, next: Function) => void}
 */
function createBufferedReader ({ name, gate, limit, finish }, read) {
  return function readBuffered (req, res, next) {
    if (parsed.has(req)) {
      next()
      return
    }
    const content = isSpent(req) ? contentOf(req) : undefined
    if (content !== undefined) {
      readContent(req, res, next, content)
    } else if (typeof req.on === 'function') {
      read(req, res, next)
    } else { // no stream, and nothing in it for us
      ensureBody(req)
      next()
    }
  }

  function readContent (req, res, next, content) {
    const decision = gate(req, req.headers)
    if (decision.skip) {
      next()
    } else if (decision.refused !== null) {
      refuse(req, res, next, name, errors.unsupportedCharset(decision.charset))
    } else {
      const exchange = new Exchange(req, res, next, decision, limit, null, finish, 0, joinForGood)
      exchange.lane = 'buffered'
      watch(exchange, name, (exchange) => take(exchange, content))
    }
  }
}

/** For parsers with this option: what they have parsed, none of them parses again. */
function createMarkedFinish (finish) {
  return function markThenFinish (exchange, bytes) {
    parsed.add(exchange.req)
    finish(exchange, bytes)
  }
}

/** Wrappers make requests that were never streams. */
function isSpent (req) {
  return req.readable !== true || isFinished(req)
}

function contentOf ({ rawBody, body }) {
  return [rawBody, body].find((value) => typeof value === 'string' || value instanceof Uint8Array)
}

function take (exchange, content) {
  const bytes = toBuffer(content)
  exchange.received = bytes.length
  const error = obstacle(exchange)
  if (error === null) {
    // What is text already was decoded by whoever read it.
    if (typeof content === 'string' && exchange.decode !== decodeNothing) exchange.decode = decoderOf('utf-8')
    nextTick(exchange.deliver, exchange, bytes)
  } else {
    ensureBody(exchange.req)
    nextTick(exchange.next, error)
  }
}

function obstacle ({ received, limit, decode, charset }) {
  if (received > limit) return errors.receivedTooLarge(received, limit)
  return decode === null ? errors.unsupportedCharset(charset) : null
}

function toBuffer (content) {
  if (typeof content === 'string') return Buffer.from(content)
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength)
}

module.exports = { createBufferedReader, createMarkedFinish }
