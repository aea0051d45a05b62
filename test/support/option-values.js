'use strict'

const schemaOf = require('./schema-of')

/** Values with which options that change `parse` have an effect. */
module.exports = {
  depth: 5,
  empty: {},
  onConstructorPoisoning: 'error',
  onProtoPoisoning: 'error',
  parse: String,
  qs: {},
  schema: schemaOf((value) => ({ value })),
  strict: true
}
