'use strict'

// Options of urlencoded that body-parser does not have: `parse`,
// `allowPrototypes` and `qs`.

const { assertExclusive, isGiven, readFunction, readSwitch } = require('../core/options')

const QS_OPTIONS = ['allowPrototypes', 'charsetSentinel', 'depth', 'interpretNumericEntities', 'qs']
const PROTOTYPE_NAMES = Object.getOwnPropertyNames(Object.prototype)

/**
 * @param {object} options of `urlencoded`
 * @param {object} form what is read of them; see ../form/parse.js
 * @param {(form: object) => (text: string, charset: string, count: number) => object} createParse
 * @returns {{ parse: (text: string, charset: string, count: number, req: object) => unknown, isAsync: boolean }}
 * @throws {TypeError} for an option that is wrong, or cannot be combined with another
 */
module.exports = function extendParse (options, form, createParse) {
  const allowPrototypes = readSwitch(options, 'allowPrototypes', true)
  const ownParse = readFunction(options, 'parse')
  if (ownParse !== undefined) {
    assertExclusive(options, 'parse', QS_OPTIONS) // it does not know them
    return { parse: (text, charset, count, req, source) => ownParse(text, { charset, req, get signal () { return source.signal } }), isAsync: true }
  }
  const qs = isGiven(options, 'qs') ? require('./qs-options')(options.qs, form) : undefined
  const parse = createParse({ ...form, allowPrototypes, qs })
  return { parse: allowPrototypes ? parse : (...form) => dropPrototypeNames(parse(...form)), isAsync: false }
}

/** Removes fields that hide what every object inherits; qs does so within brackets. */
function dropPrototypeNames (form) {
  for (const name of PROTOTYPE_NAMES) {
    if (Object.hasOwn(form, name)) delete form[name]
  }
  return form
}
