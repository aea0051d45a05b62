'use strict'

const ChunkList = require('../source/chunk-list')
const errors = require('../errors')
const { nextTick } = require('../platform')
const { sendContinue } = require('../request/continue')
const { isStillToEnd } = require('../request/facts')
const { precheck } = require('./match')

const MAX_TAIL = 64 * 1024 // bytes, the most that small chunks are copied together into

/**
 * Collects the chunks of the request, under its limit and its declared length.
 * Listens in the call of the middleware, to the events that body-parser listens
 * to, so that code that observes the request sees the same.
 *
 * @callback Collect
 * @param {import('./exchange')} exchange
 * @param {import('../../read').Done} done
 * @param {number | null} [codedLength] declared bytes of a coded body. Once they have come, `close` ends it as `end`
 *   does. Another length is no error here, as a decoder tells whether the body is whole
 * @returns {((error: Error) => void) | undefined} ends the reading; undefined if the request cannot be read
 */

/**
 * @param {(pieces: Buffer[], length: number) => Buffer | Buffer[]} contentOf
 * @returns {Collect}
 */
const createCollect = (contentOf) => function collect (exchange, done, codedLength = null) {
  const obstacle = precheck(exchange)
  if (obstacle !== null) return nextTick(done, exchange, obstacle) // returns undefined: no reading to end
  const { lane, req } = exchange
  const limit = lane === 'identity' ? exchange.limit : Infinity // coded bytes may be more than they decode to
  let first = null // the first chunk, which is not copied: mostly it is the only one
  let chunks = null // all of them, once there are two
  let isDone = false // a listener may be called once more after its removal: `emit` iterates over a copy of the list
  const onAborted = () => end(exchange.aborted())
  const onClose = () => endClosed(exchange, codedLength, end)
  if (req.headers.expect !== undefined) sendContinue(exchange)
  req.on('aborted', onAborted)
  req.on('close', onClose) // any stream may close before its end
  req.on('data', onData)
  req.on('end', end)
  req.on('error', end)
  if (req.readableFlowing === false) req.resume() // it was paused explicitly
  return end

  function onData (piece) {
    if (isDone) return
    const chunk = Buffer.isBuffer(piece) ? piece : ChunkList.toBuffer(piece)
    if (chunk === null) return end(errors.notBytes(piece))
    const error = exchange.receive(chunk.length, limit)
    if (error !== null) end(error)
    else if (first === null) first = chunk
    else (chunks ??= new ChunkList([first], MAX_TAIL)).write(chunk)
  }

  function end (error) {
    if (isDone) return
    isDone = true
    stopListening(req, onAborted, onClose, onData, end)
    const { received } = exchange
    const fault = error ? errors.unreadable(error) : completionError(exchange)
    if (fault !== null) return done(exchange, fault)
    const pieces = chunks === null ? [first ?? Buffer.alloc(0)] : chunks.pieces()
    done(exchange, null, contentOf(pieces, received), received)
  }
}

/** For `close` before `end`: a coded body may be whole by its declared length; others are cut off, or end later. */
function endClosed (exchange, codedLength, end) {
  const { received, req } = exchange
  if (received === codedLength) end()
  else if (!isStillToEnd(req, received)) end(exchange.aborted())
}

/** Removes what `collect` has added. Written out, as a list of listeners would have to be made for each request. */
function stopListening (req, onAborted, onClose, onData, end) {
  req.removeListener('aborted', onAborted)
  req.removeListener('close', onClose)
  req.removeListener('data', onData)
  req.removeListener('end', end)
  req.removeListener('error', end)
}

/** For a parser that keeps nothing of the bytes: a single chunk is passed on as it came. */
const join = (pieces, length) => pieces.length > 1 ? Buffer.concat(pieces, length) : pieces[0]

/** For bytes that the app may keep: over HTTP/2, a small chunk would keep the 64 KiB that it is a part of. */
const joinToKeep = (pieces, length) => pieces.length > 1 ? Buffer.concat(pieces, length) : ChunkList.trim(pieces[0])

/** For a parser that takes chunks. */
const asChunks = (pieces) => pieces

/** What is wrong with a body that has ended; null if nothing. */
function completionError ({ req, length, received }) {
  if (length !== null) return length === received ? null : errors.lengthMismatch(length, received)
  return req.aborted ? errors.aborted(null, received) : null // HTTP/2: a stream that is reset emits `end` as well
}

module.exports = {
  collect: createCollect(join),
  collectChunks: createCollect(asChunks),
  collectToKeep: createCollect(joinToKeep)
}
