'use strict'

// Who reads the content of a request. What code of the app reads by means of a
// parser is claimed: no other parser takes it, although nothing may have been
// read yet.

const marks = require('../marks')
const { hasContent, isFinished, isStream } = require('./facts')

/**
 * @param {object} req which is not claimed if it may carry the next request as well
 * @param {'loop' | 'handler'} reader code of the app's: a loop over records or parts, or a handler of the stream
 */
function claim (req, reader) {
  if (!isStream(req)) return
  marks.claims ??= new WeakMap()
  marks.claims.set(req, reader)
}

/** For the one that has claimed it, whose own parser is to read it now. */
function release (req) {
  marks.claims.delete(req)
}

const isClaimed = (req) => marks.claims !== null && marks.claims.has(req)

const isClaimedByLoop = (req) => marks.claims !== null && marks.claims.get(req) === 'loop'

/** Whether there is content that has not been read, is not being read, and is not claimed. */
function isUnread (req) {
  const { headers, readableDidRead, readableFlowing } = req
  if (!hasContent(headers, req) || isFinished(req) || isClaimed(req)) return false
  const hasNoReader = ['data', 'readable'].every((event) => req.listenerCount?.(event) === 0)
  return !readableDidRead && readableFlowing !== true && hasNoReader
}

module.exports = { claim, isClaimed, isClaimedByLoop, isUnread, release }
