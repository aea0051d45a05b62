'use strict'

// Options of urlencoded that body-parser does not have: `parse` and
// `allowPrototypes`.

const { assertExclusive, readFunction, readSwitch } = require('../core/options')

const QS_OPTIONS = ['allowPrototypes', 'charsetSentinel', 'depth', 'interpretNumericEntities']
const PROTOTYPE_NAMES = Object.getOwnPropertyNames(Object.prototype)

/**
 * @param {object} options of `urlencoded`
 * @param {(form: { allowPrototypes: boolean }) => (text: string, charset: string, count: number) => object} createParse
 * @returns {{ parse: (text: string, charset: string, count: number, req: object) => unknown, isAsync: boolean }}
 * @throws {TypeError} for an option that is wrong, or cannot be combined with another
 */
module.exports = function extendParse (options, createParse) {
  const allowPrototypes = readSwitch(options, 'allowPrototypes', true)
  const ownParse = readFunction(options, 'parse')
  if (ownParse !== undefined) {
    assertExclusive(options, 'parse', QS_OPTIONS) // it does not know them
    return { parse: (text, charset, count, req) => ownParse(text, { charset, req }), isAsync: true }
  }
  const parse = createParse({ allowPrototypes })
  return { parse: allowPrototypes ? parse : (...form) => dropPrototypeNames(parse(...form)), isAsync: false }
}

/** Removes fields that hide what every object inherits; qs does so within brackets. */
function dropPrototypeNames (form) {
  for (const name of PROTOTYPE_NAMES) {
    if (Object.hasOwn(form, name)) delete form[name]
  }
  return form
}
