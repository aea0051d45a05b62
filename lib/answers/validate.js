'use strict'

const errors = require('../core/errors')

/**
 * @returns {(value: unknown) => Promise<unknown>} rejected with a 422 for what the schema refuses
 * @throws {TypeError} if it is not a Standard Schema
 */
module.exports = function createValidate (schema) {
  const standard = schema['~standard']
  if (typeof standard?.validate !== 'function') throw new TypeError('option schema must be a Standard Schema, as zod, valibot and arktype make them')
  return async (body) => {
    const { issues, value } = await standard.validate(body)
    if (issues) throw errors.create(422, 'request entity invalid', { issues, type: 'entity.invalid' })
    return value
  }
}
