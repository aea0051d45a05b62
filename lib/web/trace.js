'use strict'

// The tracing channel `fast-body-parser`, where the runtime has one: tells of a Request what
// ../core/insight/diagnostics.js tells of a request. Without subscribers, each reading costs one read of
// `hasSubscribers`.

const errors = require('../core/errors')
const { performance } = require('../core/platform')

const { tracingChannel } = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel') ?? {}
const channel = tracingChannel?.('fast-body-parser')

/**
 * @param {string} parser its name
 * @param {import('./interruption')} interruption of one reading; has the figures, which are known at the end
 * @param {(end: (error: unknown, tellApp: () => void) => void) => void} callback is called in the async context that is
 *   bound to the channel. Calls `end` with the error, or null, and with what tells the app
 */
function trace (parser, interruption, callback) {
  const begin = performance.now()
  const message = { parser, request: interruption.request, lane: 'none', bytesIn: 0, bytesDecoded: 0, ms: 0 }
  let tell
  channel.traceCallback((end) => callback((error, tellApp) => {
    const { decoded, lane, received } = interruption
    const used = interruption.used ?? received
    if (decoded !== null || used > 0) message.lane = lane
    Object.assign(message, { bytesIn: used, bytesDecoded: decoded ?? 0, ms: performance.now() - begin })
    tell = tellApp
    if (error === null) end()
    else end(error)
  }), 0, message, undefined, () => tell())
}

/**
 * The same of a promise.
 *
 * @template T
 * @param {() => Promise<T>} callback
 * @returns {Promise<T>}
 */
function tracePromise (parser, interruption, callback) {
  if (!isTracing()) return callback()
  return new Promise((resolve, reject) => trace(parser, interruption, (end) => {
    callback().then((value) => end(null, () => resolve(value)), (error) => {
      const fault = errors.thrown(error)
      end(fault, () => reject(fault))
    })
  }))
}

/** Bun 1.4: a tracing channel does not tell, but its channels do. */
const channels = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((name) => channel?.[name])
const isTracing = () => channel?.hasSubscribers ?? channels.some((each) => each?.hasSubscribers)

module.exports = { isTracing, trace, tracePromise }
