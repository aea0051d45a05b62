'use strict'

// Option `schema`: a Standard Schema (standardschema.dev), which checks
// `req.body` and gives its new value.

const { isFunction, kind } = require('../core/checks')

module.exports = {
  read: (value, name, fallback) => value ?? fallback,
  check: kind(
    (schema) => isFunction(schema['~standard']?.validate),
    'a Standard Schema, as zod, valibot and arktype make them'
  ),
  loadExtend: () => require('../answers/schema')
}
