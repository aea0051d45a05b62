'use strict'

const { nextTick, setTimeout } = require('../platform')

const APART = 100 // ms between a response over HTTP/2 and the reset of its stream

/**
 * @param {[emitter: import('node:events'), event: string, listener: Function][]} listeners added in this order
 * @returns {() => void} removes them
 */
function listen (listeners) {
  for (const [emitter, event, listener] of listeners) emitter.on(event, listener)
  return () => { for (const [emitter, event, listener] of listeners) emitter.removeListener?.(event, listener) }
}

/**
 * Calls a function that uses a response, or another object of the app's, which may be a mock or a proxy: any property
 * of these may throw, and within an event of the request that would end the process.
 *
 * @template T
 * @param {() => T} callback
 * @returns {T | undefined} undefined if it throws
 */
function ignoreErrors (callback) {
  try {
    return callback()
  } catch {}
}

/** @returns {() => void} removes the listener of a response */
function onceOf (res, event, listener) {
  ignoreErrors(() => res.once(event, listener))
  return () => ignoreErrors(() => res.removeListener(event, listener))
}

/**
 * Calls `callback` when the response is finished or closed. That of an adapter, without a connection, is never closed;
 * others emit both events, so `callback` is called more than once. Over HTTP/2, a response finishes only with its
 * stream, which stays open until the request is read.
 */
function onceAnswered (res, callback) {
  if (ignoreErrors(() => res.closed || res.writableFinished)) return callback()
  for (const event of ['close', 'finish']) onceOf(res, event, callback)
  const stream = ignoreErrors(() => res.stream)
  if (stream) onceOf(stream, 'finish', callback)
}

function onceFinished (writable, callback) {
  if (writable.writableFinished) callback()
  else writable.once('finish', callback)
}

/**
 * Closes a stream of HTTP/2 behind its response. Node.js 20 to 24, as a client that reads both at once, and is still
 * sending, would never close its own end.
 */
function closeAnswered (req) {
  const { stream } = req
  onceFinished(stream, () => {
    req.pause?.() // other code may have resumed it
    setTimeout(() => {
      stream.close()
      req.resume?.() // one with unread data would never be destroyed
    }, APART).unref?.() // a faked timer may lack it
  })
}

/**
 * @returns {number} of those who await the end of a request by the package on-finished, as finalhandler does, by which
 *   Express answers an error that nobody else answers
 */
const countWaiters = (req) => req.__onFinished?.queue?.length ?? 0

/**
 * Tells them that it is over: they would wait for bytes that nobody reads, and the client for an answer.
 *
 * @param {number} [before] so many of them are somebody else, as they have waited before the request was read
 */
function tellWaiters (req, before = 0) {
  nextTick(() => { for (const tell of req.__onFinished?.queue?.splice(before) ?? []) tell(null, req) })
}

module.exports = listen
module.exports.closeAnswered = closeAnswered
module.exports.countWaiters = countWaiters
module.exports.ignoreErrors = ignoreErrors
module.exports.onceAnswered = onceAnswered
module.exports.onceFinished = onceFinished
module.exports.onceOf = onceOf
module.exports.tellWaiters = tellWaiters
