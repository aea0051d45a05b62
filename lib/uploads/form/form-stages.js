'use strict'

const Feed = require('../../core/body/feed')
const onceClientLeaves = require('../../core/request/client')
const Source = require('../../core/source/source')

/**
 * The stages of a parser that takes forms.
 *
 * @param {import('../../core/body/feed').CreateSink} createForm
 * @param {(exchange: object, form: object, proceed: Function) => void} show puts a form that is complete on the request
 * @returns {Pick<import('../../compose').Draft, 'streamStage' | 'parseStage'>} of a form that was read from the
 *   request, and of the bytes of one that other code has read
 */
module.exports = function createStages (createForm, show) {
  return {
    streamStage: (proceed) => (exchange, form) => show(exchange, form, proceed),
    parseStage: (proceed) => (exchange, bytes) => parse(exchange, bytes, createForm, (form) => {
      show(exchange, form, proceed)
    })
  }
}

function parse (exchange, bytes, createForm, proceed) {
  const feed = new Feed(Feed.UNGUARDED, close)
  let form
  try {
    form = createForm(exchange, feed)
  } catch (error) {
    exchange.fail(error)
    return
  }
  exchange.beginStep(feed.fail)
  const forgetClient = onceClientLeaves(exchange.req, () => exchange.leave())
  feed.begin(form, Source.of(bytes))

  function close (error) {
    exchange.endStep()
    forgetClient()
    exchange.runInAsyncScope(report, undefined, error)
  }

  function report (error) {
    if (error === null) return proceed(form)
    removeOnFailure(exchange, form)
    exchange.fail(error)
  }
}

/** Removes the files of a form once the exchange fails, before the error is passed on. */
function removeOnFailure (exchange, form) {
  exchange.undoOnFailure((done, reason) => form.stop(reason, done))
}

module.exports.removeOnFailure = removeOnFailure
