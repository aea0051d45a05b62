'use strict'

// Option `schema`: a Standard Schema (standardschema.dev), which checks
// `req.body` and gives its new value.

const { anyValue, isFunction, kind } = require('../core/checks')

module.exports = {
  read: anyValue,
  check: kind(
    (schema) => isFunction(schema['~standard']?.validate),
    'a Standard Schema, as zod, valibot and arktype make them'
  ),
  loadExtend: () => require('../answers/schema')
}
