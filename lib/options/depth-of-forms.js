'use strict'

// Option `depth` of forms: how deep the names of fields may nest.

const { toNumber } = require('../core/checks')

function readDepth (value, name, fallback, { settings: { extended } }) {
  if (!extended) return 0
  if (value === undefined) return 32
  if (!(toNumber(value) >= 0)) throw new TypeError(`option ${name} must be a zero or a positive number`)
  if (value === false) return 0
  return typeof value === 'number' ? value : 5 // what qs makes of other types
}

module.exports = { read: readDepth }
