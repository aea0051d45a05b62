'use strict'

// The tracing channel `fast-body-parser` (node:diagnostics_channel). Without a subscriber there is no call, only one
// look at `hasSubscribers` for each body.

const { tracingChannel } = require('node:diagnostics_channel')
const Exchange = require('../core/exchange')

const channel = tracingChannel('fast-body-parser')
const hasSubscribers = () => channel.hasSubscribers === true // Node before 20.13 does not tell, and traces nothing

/**
 * What is published.
 *
 * @typedef {object} Message
 * @property {string} parser `json`, `raw`, `text`, `urlencoded` or `custom`
 * @property {import('node:http').IncomingMessage} req
 * @property {import('node:http').ServerResponse} res
 * @property {'identity' | 'one-shot' | 'stream' | 'buffered' | 'none'} lane how
 *   the body was read; `none` if nothing of it was. Known at the end
 * @property {number} bytesIn bytes received, before content codings are undone. Known at the end
 * @property {number} bytesDecoded bytes of the content, afterwards; 0 if it was
 *   not read to its end. Known at the end
 * @property {number} ms from the call of the parser to that of `next`. Known at the end
 * @property {Error} [error] what `next` gets
 */

/**
 * Makes the exchange inside the trace, so that stores bound to the channel are
 * part of the async context that the exchange keeps.
 *
 * @param {ConstructorParameters<typeof Exchange>[0]} parts
 * @param {(exchange: Exchange) => void} proceed
 */
function trace (parts, proceed) {
  const { req, res, next, parser } = parts
  const begin = performance.now()
  const message = { parser: parser.name, req, res, lane: 'none', bytesIn: 0, bytesDecoded: 0, ms: 0 }
  channel.traceCallback((done) => {
    const exchange = new Exchange({ ...parts, next: end })
    proceed(exchange)

    function end (...error) {
      const { decoded, lane, received } = exchange
      message.lane = decoded !== null || received > 0 ? lane : 'none'
      message.bytesIn = received
      message.bytesDecoded = decoded ?? 0
      message.ms = performance.now() - begin
      done(...error)
    }
  }, 0, message, undefined, next)
}

/** Publishes an error of what has no exchange. */
function fail ({ parser, req, res, next }, error) {
  const message = { parser, req, res, lane: 'none', bytesIn: 0, bytesDecoded: 0, ms: 0 }
  if (hasSubscribers()) channel.traceCallback((done) => done(error), 0, message, undefined, next)
  else next(error)
}

module.exports = { fail, hasSubscribers, trace }
