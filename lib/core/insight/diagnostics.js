'use strict'

// The tracing channel `fast-body-parser` (node:diagnostics_channel). Without
// subscribers, each body costs one read of `hasSubscribers`.

const { tracingChannel } = require('node:diagnostics_channel')
const { performance } = require('../platform')

const channel = tracingChannel('fast-body-parser') // before Node 20.13 it has no `hasSubscribers`, and traces nothing

/** What is published: TraceMessage in index.d.ts. The figures are known at the end. */
const createMessage = (parser, { req, res }) => ({ parser, req, res, lane: 'none', bytesIn: 0, bytesDecoded: 0, ms: 0 })

/**
 * Makes the exchange inside the trace, so that stores bound to the channel are
 * part of the async context that the exchange keeps.
 */
function trace (parts, proceed) {
  const begin = performance.now()
  const message = createMessage(parts.parser.name, parts)
  publish(message, parts.next, (done) => {
    const exchange = new parts.parser.Exchange({ ...parts, next: end })
    proceed(exchange)
    function end (...error) {
      const { decoded, lane, received } = exchange
      if (decoded !== null || received > 0) message.lane = lane
      Object.assign(message, { bytesIn: received, bytesDecoded: decoded ?? 0, ms: performance.now() - begin })
      done(...error)
    }
  })
}

/** Publishes an error of what has no exchange. */
function publishError (parserName, parts, error) {
  const { next } = parts
  if (channel.hasSubscribers) publish(createMessage(parserName, parts), next, (done) => done(error))
  else next(error)
}

/** @param {(done: (...error: [] | [unknown]) => void) => void} callback `done` ends the trace, and calls `next` */
function publish (message, next, callback) {
  let isDone = false
  let thrown = null // by `next`, within this call: no error of the body
  channel.traceCallback((end) => {
    try {
      callback((...error) => {
        isDone = true
        end(...error)
      })
    } catch (error) {
      if (!isDone) throw error
      thrown = { error }
    }
  }, 0, message, undefined, next)
  if (thrown !== null) throw thrown.error
}

module.exports = { channel, publishError, trace }
