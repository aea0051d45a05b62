'use strict'

/** Values with which options that change `parse` have an effect. */
module.exports = {
  depth: 5,
  empty: {},
  onConstructorPoisoning: 'error',
  onProtoPoisoning: 'error',
  parse: String,
  qs: {},
  schema: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } },
  strict: true
}
