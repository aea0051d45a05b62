'use strict'

const Feed = require('../../core/body/feed')
const onceClientLeaves = require('../../core/request/client')
const Source = require('../../core/source/source')

/**
 * Parses a whole body, which other code has read before.
 *
 * @param {import('../../core/body/exchange')} exchange
 * @param {Buffer} bytes
 * @param {import('../../core/body/feed').CreateSink} createForm
 * @param {(exchange: object, form: object, error: unknown) => void} show what follows; `error` is null, or of the form
 */
module.exports = function replay (exchange, bytes, createForm, show) {
  const feed = new Feed(Feed.UNGUARDED, settled)
  let form
  try {
    form = createForm(exchange, feed)
  } catch (error) {
    exchange.fail(error)
    return
  }
  exchange.beginStep(feed.settled)
  const forgetClient = onceClientLeaves(exchange.req, () => exchange.leave())
  feed.begin(form, Source.of(bytes))

  function settled (error) {
    exchange.endStep()
    forgetClient()
    exchange.runInAsyncScope(show, undefined, exchange, form, error)
  }
}
