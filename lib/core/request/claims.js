'use strict'

// Requests that code of the app reads through a parser, record by record or by a
// handler. Each is claimed, so that no other parser takes it before the first
// byte is read.

const sharedTables = require('../shared-tables')
const { declaresContent, isRead, isStream } = require('./facts')

/**
 * @param {object} req is not claimed unless it is a stream: an adapter may put the next request into any other object
 * @param {'loop' | 'handler'} reader code of the app's: a loop over records or parts, or a handler of the stream
 */
function claim (req, reader) {
  if (!isStream(req)) return
  sharedTables.claims ??= new WeakMap()
  sharedTables.claims.set(req, reader)
}

/** Called by what has claimed the request, before its own parser reads it. */
function release (req) {
  sharedTables.claims?.delete(req) // null if an adapter's object was not claimed, and no other request
}

const isClaimed = (req) => sharedTables.claims?.has(req) === true

const isClaimedByLoop = (req) => sharedTables.claims?.get(req) === 'loop'

/**
 * Whether there is content that has not been read, is not being read, and is not claimed. A parser with option
 * `buffered` may have had it from a field of the request.
 */
function isUnread (req) {
  if (!declaresContent(req.headers, req) || isRead(req) || isClaimed(req)) return false
  if (sharedTables.visits?.get(req)?.isParsed) return false
  const hasNoReader = ['data', 'readable'].every((event) => req.listenerCount?.(event) === 0)
  return req.readableFlowing !== true && hasNoReader
}

module.exports = { claim, isClaimed, isClaimedByLoop, isUnread, release }
