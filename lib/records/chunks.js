'use strict'

const errors = require('../core/errors')
const createFeed = require('../core/body/feed')
const ChunkQueue = require('../core/body/chunk-queue')
const diagnostics = require('../core/insight/diagnostics')
const onceClientLeaves = require('../core/request/client')
const { drain } = require('../core/request/drain')
const { isRead } = require('../core/request/facts')

/**
 * The chunks of a request, each read when it is asked for, and null: `next` is
 * told how many bytes of those before are still held. When this ends early, it
 * waits until the rest of the request is drained.
 *
 * Reads in an exchange of its own: guards count from the first record that is
 * asked for, and traces have the async context of the loop.
 *
 * @param {import('../core/body/exchange')} checked the exchange that has called `next`
 * @param {import('../compose').CreateDecoder | null} createDecoder null without a content coding
 * @param {() => void} onBegin
 * @param {import('./records').Listener} listener
 */
async function * readChunks ({ limit, length, match, parser, req, res }, createDecoder, onBegin, listener) {
  onBegin()
  const sink = new Sink()
  const feed = createFeed((exchange, feed) => Object.assign(sink, { feed }), createDecoder)
  const over = new Promise((resolve) => {
    const next = (...error) => {
      sink.end(...error)
      if (error.length > 0) listener.interrupt(error[0])
      resolve()
    }
    const parts = { req, res, next, match, parser }
    if (diagnostics.channel.hasSubscribers) diagnostics.trace(parts, start)
    else start(new parser.Exchange(parts))
  })
  let reason // null once all is read; undefined if the loop is left before
  try {
    for (let chunk; chunk !== null;) {
      if (sink.isEmpty) sink.feed?.ready()
      chunk = await sink.pull()
      sink.heldBytes = yield chunk
    }
    reason = null
  } catch (error) {
    reason = error
    throw error
  } finally {
    sink.feed?.settled(reason === undefined ? abandoned() : reason)
    if (sink.feed !== null) await over
  }

  function start (exchange) {
    listener.measure(() => exchange.received)
    exchange.setLimit(limit)
    if (req.aborted) exchange.fail(errors.aborted(length, 0)) // nothing has told so before
    else if (isRead(req)) exchange.fail(errors.notReadable()) // by other code, or the response is sent
    else feed(exchange, settle)
  }
}

/** What follows the reading, in the async context of the loop. */
function settle (exchange, error) {
  exchange.runInAsyncScope(error ? drain : exchange.parser.Exchange.succeed, null, exchange, error)
}

/**
 * The same for a whole body, that other code has read before: nothing of it can
 * be lost any more, but promises of the app's are not awaited for ever.
 */
async function * replay ({ match, parser, req, res }, bytes, { interrupt, measure }) {
  let isFailed = false
  const next = (...error) => { if (error.length > 0) interrupt(error[0]) }
  const exchange = new parser.Exchange({ req, res, next, match, parser })
  exchange.complete(bytes.length) // nothing more is awaited of the client
  exchange.beginStep((error) => {
    isFailed = true
    exchange.endStep()
    exchange.fail(error)
  })
  const forgetClient = onceClientLeaves(req, () => exchange.leave())
  try {
    measure(() => bytes.length)
    yield bytes
    yield null // the last record may lack its end
  } finally {
    forgetClient()
    exchange.endStep()
    if (!isFailed) parser.Exchange.succeed(exchange)
  }
}

/** Holds what the loop has not asked for. */
class Sink extends ChunkQueue {
  constructor () {
    super()
    this.feed = null
    this.heldBytes = 0
    this.isBlocked = true // after each chunk
  }

  write (chunk) {
    this.heldBytes += chunk.length
    super.write(chunk)
  }

  abort (reason, done) {
    done()
  }
}

const abandoned = () => errors.create(400, 'the records are not read to the end', { type: 'records.abandoned' })

module.exports = readChunks
module.exports.replay = replay
