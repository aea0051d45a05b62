'use strict'

// Option `parameterLimit`: the most parameters of a form.

const { toNumber } = require('../core/checks')

/** Finite values are truncated to 32 bits, as in body-parser. */
function readParameterLimit (value, name) {
  const number = toNumber(value)
  if (!(number >= 1)) throw new TypeError(`option ${name} must be a positive number`)
  return number === Infinity ? Infinity : number | 0
}

module.exports = { read: readParameterLimit }
