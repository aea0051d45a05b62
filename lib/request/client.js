'use strict'

// When a client leaves after it has sent the body, the request does not show
// it; only the connection, or over HTTP/2 the stream, closes.

const { nextTick } = require('../platform')

/**
 * Intentionally module-level: connection -> what to call when it closes. One
 * listener for each, as many requests may be pipelined on it. Weak: an entry
 * lasts as long as its connection.
 */
const connections = new WeakMap()

/** @returns {() => void} forgets the callback */
module.exports = function onceClientLeaves (req, callback) {
  const connection = req.httpVersionMajor === 2 ? req.stream : req.socket
  if (typeof connection?.once !== 'function') return () => {} // not a request of a server
  const callbacks = connection.closed ? new Set() : connections.get(connection) ?? follow(connection)
  callbacks.add(callback)
  if (connection.closed) nextTick(() => { if (callbacks.has(callback)) callback() }) // it emits nothing more
  return () => callbacks.delete(callback)
}

/** A function of its own: the listener must not keep a request alive as long as its connection. */
function follow (connection) {
  const callbacks = new Set()
  connections.set(connection, callbacks)
  connection.once('close', () => { for (const callback of callbacks) notify(callback) })
  return callbacks
}

/** What `next` throws must not keep the other requests from being told. */
function notify (callback) {
  try {
    callback()
  } catch (error) {
    nextTick(() => { throw error })
  }
}
