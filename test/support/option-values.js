'use strict'

const schemaOf = require('./schema-of')

/** Values with which options that change `parse` have an effect. */
module.exports = {
  charsetSentinel: true,
  cooperative: true,
  depth: 5,
  empty: {},
  interpretNumericEntities: true,
  onConstructorPoisoning: 'error',
  onProtoPoisoning: 'error',
  parse: String,
  qs: {},
  reviver: (key, value) => value,
  schema: schemaOf((value) => ({ value })),
  strict: true
}
