'use strict'

// Option `schema`: a Standard Schema (standardschema.dev), which checks
// `req.body` and gives its new value.

const errors = require('../core/errors')
const { settle } = require('./async')

/**
 * A wrapper around the middleware, so that it checks what is there in any case:
 * also the body that a parser before has read, or that there is none.
 */
function wrap (middleware, schema) {
  const validate = createValidate(schema)
  const check = async (req) => { req.body = await validate(req.body) }
  return Object.defineProperty(validatingParser, 'name', { value: middleware.name })

  function validatingParser (req, res, next) {
    middleware(req, res, (...error) => {
      if (error.length > 0) next(...error)
      else settle(check(req), () => next(), (error) => next(errors.thrown(error)))
    })
  }
}

/**
 * @returns {(value: unknown) => Promise<unknown>} rejected with a 422 for what the schema refuses
 * @throws {TypeError} if it is not a Standard Schema
 */
function createValidate (schema) {
  const standard = schema['~standard']
  if (typeof standard?.validate !== 'function') throw new TypeError('option schema must be a Standard Schema, as zod, valibot and arktype make them')
  return async (body) => {
    const { issues, value } = await standard.validate(body)
    if (issues) throw errors.create(422, 'request entity invalid', { issues, type: 'entity.invalid' })
    return value
  }
}

module.exports = { createValidate, wrap }
