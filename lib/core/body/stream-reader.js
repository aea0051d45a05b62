'use strict'

const { nextTick } = require('../platform')
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
      content = new RequestContent(exchange, createDecoder, feed.fail)
      sink = createSink(exchange, feed)
      content.open()
      feed.begin(sink, content)
    } catch (error) {
      feed.isDone = true // so that `done` is not called once more, by `end`
      content?.source.stop() // leaves no decoder open
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
