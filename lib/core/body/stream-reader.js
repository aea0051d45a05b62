'use strict'

const { nextTick } = require('../platform')
const { checkReadable } = require('./match')
const Feed = require('./feed')
const RequestContent = require('./request-content')

/**
 * The reader of a parser that does not wait for the whole body: gives its bytes,
 * after content codings are undone, to a sink, and reads nothing while the sink
 * is blocked.
 *
 * @param {import('./feed').CreateSink} createSink
 * @param {(() => import('node:stream').Duplex) | null} createDecoder null without a content coding
 * @returns {import('../../read').StreamReader} calls `done` with the sink as the content
 */
module.exports = function createStreamReader (createSink, createDecoder) {
  return function readStream (exchange, done) {
    const feed = new Feed(exchange, end)
    let content = null
    let sink = null
    try {
      const digest = exchange.parser.openDigest(exchange.req.headers['content-digest'])
      checkReadable(exchange)
      sink = createSink(exchange, feed)
      content = new RequestContent(exchange, createDecoder, digest, feed.fail)
      content.open()
      feed.begin(sink, content)
    } catch (error) {
      feed.isDone = true // so that `done` is not called once more, by `close`
      nextTick(done, exchange, error)
    }

    function end (error) {
      content.endReading(error)
      if (error === null) report(null)
      else sink.stop(error, () => report(error))
    }

    function report (error) {
      content.releaseErrorListener()
      done(exchange, error, sink, content.received)
    }
  }
}
