'use strict'

const createContentStage = require('../core/body/content-stage')
const errors = require('../core/errors')
const { isUnread } = require('../core/request/claims')
const { hasContent } = require('../core/request/facts')
const { unsupportedMediaType } = require('./refuse-unparsed')

/**
 * A stage for a request that a parser skips although its handler relies on it: a loop over records or parts, or a file
 * that a rule requires. What `req.body` has then is of other code. So content that this parser has not read is refused,
 * whether other code has read it or nobody has. Without content, the next stage runs.
 */
module.exports = function refuseSkipped (proceed) {
  const awaitContent = createContentStage(refuse)(proceed)
  return (exchange) => {
    let act
    try {
      act = choose(exchange)
    } catch (error) { // of a getter of the app's
      exchange.fail(errors.thrown(error))
      return
    }
    act(exchange)
  }

  function choose ({ req }) {
    if (isUnread(req)) return awaitContent // only the bytes tell
    return hasContent(req.headers, req) || isFilled(req.body) ? refuse : proceed
  }
}

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
  const isOfItsType = hasContent(req.headers, req) && !matchHeader(req, req.headers).skip
  if (isOfItsType && refusesRead) return errors.readBefore(name)
  return unsupportedMediaType(req, res, [type], isOfItsType ? name : undefined)
}

/** Adapters may give a body without a Content-Length; frameworks set `{}` where there is none. */
const isFilled = (body) => body?.length > 0 || (typeof body === 'object' && Object.keys(body ?? {}).length > 0)
