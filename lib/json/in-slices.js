'use strict'

// fast-body-parser/json-slices: ../slices, with a warning about misspelt options.

const { warnOfNames } = require('../warnings')
const parse = require('../slices')

const NAMES = new Set(['depth', 'onConstructorPoisoning', 'onProtoPoisoning', 'reviver', 'signal', 'slice'])

/** @type {typeof parse} */
module.exports = function parseInSlices (source, options) {
  warnOfNames(Object(options), NAMES)
  return parse(source, options)
}
