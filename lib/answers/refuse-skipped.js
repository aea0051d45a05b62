'use strict'

const createContentStage = require('../core/body/content-stage')
const errors = require('../core/errors')
const { isUnread } = require('../core/request/claims')
const { declaresContent } = require('../core/request/facts')
const { unsupportedMediaType } = require('./refuse-unparsed')

/**
 * A stage for a request that a parser skips. Content that nobody has read is refused; without any, the next stage runs.
 *
 * @param {(exchange: import('../core/body/exchange')) => void} refuse ends the exchange
 * @param {(req: object) => boolean} isRefused of a request that has been read, or is no stream
 * @returns {import('../compose').Stage}
 */
const createRefusal = (refuse, isRefused) => (proceed) => {
  const awaitContent = createContentStage(refuse)(proceed)
  return (exchange) => {
    const { req } = exchange
    let stage
    try {
      if (isUnread(req)) stage = awaitContent // only the bytes tell
      else stage = isRefused(req) ? refuse : proceed
    } catch (error) { // of a getter of the app's
      exchange.fail(errors.thrown(error))
      return
    }
    stage(exchange)
  }
}

/**
 * Where the handler relies on the parser: on a loop over records or parts, or a file that a rule requires. What
 * `req.body` has then is of other code. So content that other code has read is refused as well.
 */
const refuseSkipped = createRefusal(refuse, (req) => declaresContent(req.headers, req) || isFilled(req.body))

function refuse (exchange) {
  let error
  try {
    error = faultOf(exchange)
  } catch (thrown) { // by option `type` of the app's
    error = errors.thrown(thrown)
  }
  exchange.fail(error)
}

function faultOf (exchange) {
  const { parser: { matchHeader, name, refusesRead, settings: { type } }, req, res } = exchange
  if (req.aborted === true) return exchange.aborted()
  const isOfItsType = declaresContent(req.headers, req) && !matchHeader(req, req.headers).skip
  if (isOfItsType && refusesRead) return errors.readBefore(name)
  return unsupportedMediaType(req, res, [type], isOfItsType ? name : undefined)
}

/** Adapters may give a body without a Content-Length; frameworks set `{}` where there is none. */
const isFilled = (body) => body?.length > 0 || (typeof body === 'object' && Object.keys(body ?? {}).length > 0)

module.exports = refuseSkipped
module.exports.createRefusal = createRefusal
