'use strict'

// Bodies that somebody else has read before us, and left as bytes or as text:
// Cloud Functions, wrappers of Lambda, other middleware.

const { nextTick } = process
const abandon = require('./abandon')
const { refuse, watch } = require('./channel')
const { decoderOf, decodeNothing } = require('./decode')
const errors = require('./errors')
const Exchange = require('./exchange')
const { isFinished } = require('./gate')
const { joinForGood } = require('./join')

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
    const content = isSpent(req) && !parsed.has(req) ? contentOf(req) : undefined
    if (content === undefined) {
      read(req, res, next)
      return
    }
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
  // What is text already was decoded by whoever read it.
  if (typeof content === 'string' && exchange.decode !== decodeNothing) exchange.decode = decoderOf('utf-8')
  if (bytes.length > exchange.limit) abandon(exchange, errors.receivedTooLarge(bytes.length, exchange.limit))
  else if (exchange.decode === null) abandon(exchange, errors.unsupportedCharset(exchange.charset))
  else nextTick(exchange.deliver, exchange, bytes)
}

function toBuffer (content) {
  if (typeof content === 'string') return Buffer.from(content)
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength)
}

module.exports = { createBufferedReader, createMarkedFinish }
