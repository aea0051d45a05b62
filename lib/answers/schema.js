'use strict'

// Option `schema`: a Standard Schema (standardschema.dev), which checks
// `req.body` and gives its new value.

const { createSchemaStage } = require('../core/body/stages')
const waitForApp = require('../core/body/wait-for-app')
const { createRefusal } = require('./refuse-skipped')
const { trackTypes, unsupportedMediaType } = require('./refuse-unparsed')
const createValidate = require('./validate')

/** Changes a parser that is being composed. */
module.exports = function validateBody (parser, { schema }) {
  const validateStage = createSchemaStage(createValidate(schema), waitForApp)
  const refuseUnread = createRefusal(refuseType(trackTypes()), () => false)
  return { ...parser, after: [...parser.after, validateStage], skip: [...parser.skip, refuseUnread, validateStage] }
}

/** Before that stage: content of another type, which nobody has read, is unsupported rather than invalid. */
const refuseType = (mismatchesOf) => (exchange) => {
  const { req, res } = exchange
  exchange.fail(unsupportedMediaType(req, res, mismatchesOf(req)))
}
