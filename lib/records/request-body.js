'use strict'

const RequestContent = require('../core/body/request-content')
const errors = require('../core/errors')
const diagnostics = require('../core/insight/diagnostics')
const onDisconnect = require('../core/request/disconnect')
const { drain } = require('../core/request/drain')
const { isRead } = require('../core/request/facts')
const Source = require('../core/source/source')
const { GuardedBody } = require('./chunks')

/**
 * What a loop reads of a request, in an exchange of its own: guards count from
 * the first record that is asked for, and traces have the async context of the
 * loop.
 */
class RequestBody extends GuardedBody {
  static begin (checked, createDecoder, onBegin, listener) {
    onBegin()
    return new RequestBody(checked, createDecoder, listener)
  }

  /**
   * @param {import('../core/body/exchange')} checked the exchange that has called `next`
   * @param {import('../compose').CreateDecoder | null} createDecoder null without a content coding
   * @param {import('./records').Listener} listener
   */
  constructor ({ limit, length, match, parser, req, res }, createDecoder, listener) {
    super(null) // until it has an exchange of its own
    this.content = null // once the request can be read
    this.over = new Promise((resolve) => {
      const next = (...error) => {
        if (error.length > 0) listener.interrupt(error[0])
        resolve(error)
      }
      const parts = { req, res, next, match, parser }
      const start = (exchange) => this.start(exchange, { createDecoder, length, limit, listener })
      if (diagnostics.channel.hasSubscribers) diagnostics.trace(parts, start)
      else start(new parser.Exchange(parts))
    })
  }

  start (exchange, { createDecoder, length, limit, listener }) {
    const { req } = exchange
    this.guards = exchange
    listener.setCounter(() => exchange.received)
    exchange.setLimit(limit)
    if (req.aborted) return exchange.fail(errors.aborted(length, 0)) // nothing has told so before
    if (isRead(req)) return exchange.fail(errors.notReadable()) // by other code, or the response is sent
    try {
      this.content = new RequestContent(exchange, createDecoder, (error) => this.end(error))
      this.content.open()
    } catch (error) {
      this.content = null
      this.report(error)
    }
  }

  async open () {
    if (this.content === null) throw (await this.over)[0]
    return this.content
  }

  async stop (reason) {
    if (this.content === null) return
    this.content.stop()
    this.end(reason === undefined ? errors.recordsAbandoned() : reason)
    await this.over
  }

  /** May be called while the loop waits for the app, or before it has taken the chunks before the error. */
  end (error) {
    const { content } = this
    if (this.isEnded) return
    this.isEnded = true
    this.endWait()
    content.endReading(error)
    content.releaseErrorListener()
    this.report(error)
  }

  /** What follows the reading, in the async context of the loop. */
  report (error) {
    const { guards: exchange } = this
    const proceed = error ? drain : exchange.parser.Exchange.end
    exchange.runInAsyncScope(proceed, null, exchange, error)
  }
}

/**
 * The same for a whole body, that other code has read before: nothing of it can
 * be lost any more, but promises of the app's are not awaited for ever.
 */
function replay ({ match, parser, req, res }, bytes, { interrupt, setCounter }) {
  let isFailed = false
  const next = (...error) => { if (error.length > 0) interrupt(error[0]) }
  const exchange = new parser.Exchange({ req, res, next, match, parser })
  exchange.setDecoded(bytes.length) // nothing more is awaited of the client
  exchange.beginStep((error) => {
    isFailed = true
    exchange.endStep()
    exchange.fail(error)
  })
  const forgetClient = onDisconnect(req, () => exchange.onLeft())
  setCounter(() => bytes.length)
  return { open: async () => Source.of(bytes), stop }

  async function stop () {
    forgetClient()
    exchange.endStep()
    if (!isFailed) parser.Exchange.end(exchange)
  }
}

module.exports = RequestBody
module.exports.replay = replay
