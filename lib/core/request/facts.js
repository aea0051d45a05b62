'use strict'

// Questions about a request: whether it has content, and whether that can still
// be read.

const sharedTables = require('../shared-tables')

/**
 * RFC 9112, section 6: a message has content if Transfer-Encoding or
 * Content-Length says so. HTTP/2 needs neither (RFC 9113, section 8.1): there
 * the END_STREAM flag of the header block tells.
 */
function declaresBody (headers, req) {
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  if (length !== undefined) return !isNaN(length)
  return headers[':method'] !== undefined && req.stream?.endAfterHeaders === false
}

/** Unlike `declaresBody`, false for a declared length of 0, which is a body for body-parser. */
function declaresContent (headers, req) {
  if (headers['transfer-encoding'] !== undefined) return true
  return declaresBody(headers, req) && Number(headers['content-length'] ?? NaN) !== 0
}

/** Nothing more is read from this connection. Requests that have arrived whole on it are still parsed. */
function markClosing (socket) {
  sharedTables.closing ??= new WeakSet()
  sharedTables.closing.add(socket)
}

/**
 * Read to its end, upgraded, or cut off: there is nothing left to read. A
 * duplex stream in the place of a request is finished once it is ended.
 */
function isFinished (req) {
  const { complete, socket } = req
  const isEnded = req.writableEnded ?? req.finished
  if (typeof isEnded === 'boolean') return isEnded || Boolean(socket && !socket.writable)
  if (typeof complete !== 'boolean') return false // not a request of Node.js
  if (req.upgrade || !socket || (complete && !req.readable)) return true
  return !socket.readable && !(complete && sharedTables.closing?.has(socket))
}

/** An adapter may put the next request into any object that is not a stream. */
const isStream = (req) => typeof req.on === 'function'

/** Every request has headers. An app may pass on a field that its framework lacks, such as `c.env.incoming`. */
const hasHeaders = (req) => typeof req?.headers === 'object'

/**
 * Whether this is a Request of the Fetch standard, which has other fields than a
 * request of Node.js. Asks the header first: Express gives each request another
 * prototype, and so a shape of its own on Node 20, where each look at the
 * request takes long.
 */
const isFetchRequest = (req, headers = req.headers) =>
  typeof headers.get === 'function' && !isStream(req) && typeof req.arrayBuffer === 'function'

/** Wrappers make requests that were never streams. */
const isConsumed = (req) => req.readable !== true || isFinished(req)

/**
 * Whether a stream was read to its end, is destroyed or cut off, or is being discarded as the response is sent.
 * Field `readable` does not tell: wrappers of Lambda set it to false once they have called the app. Streams that are
 * older than `readableDidRead` have no other field.
 */
function isOver ({ _dumped, aborted, destroyed, readable, readableDidRead, readableEnded }) {
  if (readableDidRead === undefined) return readable === false
  return readableEnded || destroyed || aborted === true || _dumped === true
}

/** Whether it is over, or has given bytes that nobody has put back by `unshift`: then, there would be some in it. */
const isRead = (req) => isOver(req) || (req.readableDidRead === true && req.readableLength === 0)

/** Whether it has ended, or is closed. While it is being destroyed, its `close` is still to come. */
function isClosed ({ closed, destroyed, readable }) {
  return readable === false && !(destroyed && closed === false)
}

/** The client left before the body was read. */
function hasClientLeft ({ aborted, body, readableEnded }) {
  return aborted === true && body === undefined && readableEnded === false
}

/**
 * Over HTTP/2, beginning a response throws while a stream is closed but not yet destroyed. One whose response was
 * being sent may never be destroyed (Node 20, 24).
 */
function isClosing ({ httpVersionMajor, stream }) {
  return httpVersionMajor === 2 && stream?.closed === true && !stream.destroyed && !stream.headersSent
}

/**
 * Over HTTP/2, a stream closes with this code when both sides have ended it.
 * Some proxies reset one with it as well, so it does not tell a whole body.
 */
function isClosedInOrder ({ aborted, httpVersionMajor, stream }) {
  return httpVersionMajor === 2 && stream?.rstCode === 0 && !aborted
}

/**
 * Whether the whole body is in memory, of which so many bytes have been read.
 * Over HTTP/2, only the declared length tells it from one that is cut.
 */
function hasArrived ({ complete, headers, httpVersionMajor, readableEnded, readableLength, stream }, received) {
  if (readableEnded) return true
  if (httpVersionMajor !== 2) return complete !== false
  const behind = stream?.destroyed === false ? stream.readableLength : 0 // not yet given to the request
  return received + readableLength + behind === Number(headers['content-length'])
}

/**
 * Whether the end of a request that is closed is still to come: both sides have ended a stream of HTTP/2, as the app
 * has answered before, and what was received is the whole body.
 */
const isStillToEnd = (req, received) => isClosedInOrder(req) && !req.destroyed && hasArrived(req, received)

module.exports = {
  declaresBody,
  declaresContent,
  hasArrived,
  hasHeaders,
  hasClientLeft,
  isClosed,
  isClosedInOrder,
  isClosing,
  isConsumed,
  isFetchRequest,
  isFinished,
  isOver,
  isRead,
  isStillToEnd,
  isStream,
  markClosing
}
