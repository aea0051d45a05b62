'use strict'

// When a client leaves after it has sent the body, the request emits nothing.
// Only the connection closes, or the stream of HTTP/2.

const { nextTick } = require('../platform')
const { isClosedInOrder } = require('./facts')

/**
 * Intentionally module-level: connection -> what to call when it closes. One
 * listener for each, as many requests may be pipelined on it. Weak: an entry
 * lasts as long as its connection.
 */
const connections = new WeakMap()

/**
 * Calls back once the client has left. Over HTTP/2, a stream also closes when
 * both sides have ended it, and emits nothing when its client leaves later. So
 * the socket of its session is watched as well.
 *
 * @param {() => boolean} [isWhole] whether all that the client has sent is there
 * @returns {() => void} forgets the callback, which is then not called
 */
module.exports = function onDisconnect (req, callback, isWhole = () => req.readableEnded) {
  const { httpVersionMajor, socket, stream } = req
  if (httpVersionMajor !== 2) return isForeign(req) ? () => {} : onceClosed(socket, callback)
  const forgetStream = onceClosed(stream, () => { if (!isClosedInOrder(req) || !isWhole()) callback() })
  const forgetConnection = onceClosed(connectionOf(stream), callback)
  return () => {
    forgetStream()
    forgetConnection()
  }
}

/** Whether this stream is no IncomingMessage, and its `socket` has closed: its bytes come from elsewhere. */
const isForeign = ({ aborted, socket }) => aborted === undefined && socket?.closed === true

/** The socket of an HTTP/2 session. A session that is destroyed throws when it is asked for it. */
const connectionOf = (stream) => stream?.session?.destroyed === false ? stream.session.socket : undefined

function onceClosed (connection, callback) {
  if (typeof connection?.once !== 'function') return () => {} // not a request of a server
  const callbacks = connection.closed ? new Set() : connections.get(connection) ?? watch(connection)
  callbacks.add(callback)
  if (connection.closed) nextTick(() => { if (callbacks.has(callback)) callback() }) // a closed one emits nothing more
  return () => callbacks.delete(callback)
}

/** Not within `onceClosed`: the closure of the listener would keep the first request as long as its connection. */
function watch (connection) {
  const callbacks = new Set()
  connections.set(connection, callbacks)
  connection.once('close', () => { for (const callback of callbacks) notify(callback) })
  return callbacks
}

/** If `next` throws in one callback, the others are called nevertheless. */
function notify (callback) {
  try {
    callback()
  } catch (error) {
    nextTick(() => { throw error })
  }
}
