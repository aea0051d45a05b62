'use strict'

const onceClientLeaves = require('../../core/request/client')

/**
 * Parses a whole body, which other code has read before.
 *
 * @param {import('../../core/body/exchange')} exchange
 * @param {Buffer} bytes
 * @param {import('../../core/body/feed').CreateSink} createForm
 * @param {(exchange: object, form: object, error: unknown) => void} show what follows; `error` is null, or of the form
 */
module.exports = function replay (exchange, bytes, createForm, show) {
  let form
  try {
    form = createForm(exchange, { ready () {}, settled })
  } catch (error) {
    exchange.fail(error)
    return
  }
  exchange.beginStep((error) => form.fail(error))
  const forgetClient = onceClientLeaves(exchange.req, () => exchange.leave())
  form.write(bytes)
  form.end()

  function settled (error) {
    exchange.endStep()
    forgetClient()
    exchange.runInAsyncScope(show, undefined, exchange, form, error)
  }
}
