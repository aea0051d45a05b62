'use strict'

// What happens to bodies, for whoever subscribes to the tracing channel
// `fast-body-parser` (node:diagnostics_channel). While nobody does, this is one
// look at `hasSubscribers` for each body.

const { tracingChannel } = require('node:diagnostics_channel')

const channel = tracingChannel('fast-body-parser')
const parts = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((name) => channel[name])

/** As TracingChannel's own, which Node has since 20.13. */
function hasSubscribers () {
  return parts.some((part) => part.hasSubscribers)
}

const isWatched = 'hasSubscribers' in channel ? () => channel.hasSubscribers : hasSubscribers

/**
 * What is published.
 *
 * @typedef {object} Message
 * @property {string} parser `json`, `raw`, `text`, `urlencoded` or `custom`
 * @property {import('node:http').IncomingMessage} req
 * @property {import('node:http').ServerResponse} res
 * @property {'identity' | 'one-shot' | 'stream' | 'buffered' | 'none'} lane how
 *   the body was read; `none` if nothing of it was, as it was refused before.
 *   Known at the end
 * @property {number} bytesIn bytes that were read, coded as they came. Known at the end
 * @property {number} bytesDecoded bytes of the body, its codings undone; 0 if it did not
 *   get so far. Known at the end
 * @property {number} ms from the parser's call to that of `next`. Known at the end
 * @property {Error} [error] what `next` got
 */

/**
 * Goes on with a body, telling of it if anybody listens.
 *
 * @param {import('./exchange')} exchange
 * @param {string} parser its name
 * @param {(exchange: import('./exchange')) => void} proceed
 */
function watch (exchange, parser, proceed) {
  if (isWatched()) tell(exchange, parser, proceed)
  else proceed(exchange)
}

function tell (exchange, parser, proceed) {
  const { req, res, next, deliver } = exchange
  const begun = performance.now()
  const message = { parser, req, res, lane: exchange.lane, bytesIn: 0, bytesDecoded: 0, ms: 0 }
  let isWhole = false

  exchange.deliver = (exchange, bytes) => {
    isWhole = true
    message.bytesDecoded = bytes.length
    deliver(exchange, bytes)
  }
  channel.traceCallback((done) => {
    exchange.next = (...error) => {
      message.lane = isWhole || exchange.received > 0 ? exchange.lane : 'none'
      message.bytesIn = exchange.received
      message.ms = performance.now() - begun
      done(...error)
    }
    proceed(exchange)
  }, 0, message, undefined, next)
}

/** Hands the error of a body that is not even read to `next`. */
function refuse (req, res, next, parser, error) {
  if (!isWatched()) {
    next(error)
    return
  }
  const message = { parser, req, res, lane: 'none', bytesIn: 0, bytesDecoded: 0, ms: 0 }
  channel.traceCallback((done) => done(error), 0, message, undefined, next)
}

module.exports = { refuse, watch }
