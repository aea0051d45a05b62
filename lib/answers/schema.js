'use strict'

// Option `schema`: a Standard Schema (standardschema.dev), which checks
// `req.body` and gives its new value.

const createContentStage = require('../core/body/content-stage')
const { createSchemaStage } = require('../core/body/stages')
const waitForApp = require('../core/body/wait-for-app')
const { isUnread } = require('../core/request/claims')
const { trackTypes, unsupportedMediaType } = require('./refuse-unparsed')
const createValidate = require('./validate')

/** Changes a parser that is being composed. */
module.exports = function validateBody (parser, { schema }) {
  const validateStage = createSchemaStage(createValidate(schema), waitForApp)
  const refuseUnread = createRefusal(trackTypes())
  return { ...parser, after: [...parser.after, validateStage], skip: [...parser.skip, refuseUnread, validateStage] }
}

/**
 * Before that stage, for a request that this parser skips: content of another
 * type, which has not been read, is unsupported rather than invalid.
 */
const createRefusal = (mismatchesOf) => (proceed) => {
  const refuse = (exchange) => {
    const { req, res } = exchange
    exchange.fail(unsupportedMediaType(req, res, mismatchesOf(req)))
  }
  const onceKnown = createContentStage(refuse)(proceed)
  return (exchange) => isUnread(exchange.req) ? onceKnown(exchange) : proceed(exchange)
}
