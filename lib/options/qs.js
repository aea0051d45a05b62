'use strict'

// Option `qs` of urlencoded: options of qs that urlencoded does not have itself.

const { isFunction, isThenable, readObject, required } = require('../core/checks')
const { limitParameters } = require('../formats/urlencoded/describe')
const createNestedParse = require('../formats/urlencoded/nested')

const CHECKS = {
  arrayLimit: required((value) => Number.isInteger(value) && value >= 0, 'zero or a positive integer'),
  decoder: required(isFunction, 'a function'),
  duplicates: required((value) => ['combine', 'first', 'last'].includes(value), "one of 'combine', 'first' and 'last'")
}
const SWITCHES = [
  'allowDots', 'allowEmptyArrays', 'allowPrototypes', 'allowSparse', 'comma', 'decodeDotInKeys', 'parseArrays',
  'plainObjects', 'strictMerge', 'strictNullHandling', 'throwOnLimitExceeded'
]
for (const name of SWITCHES) CHECKS[name] = required((value) => typeof value === 'boolean', 'true or false')
const NAMES = Object.keys(CHECKS).join(', ')

/** @returns {object} the options of `qs` that are not undefined */
function checkQs (options, option, { extended }) {
  readObject(options, option)
  if (!extended) throw new TypeError('option qs cannot be combined with extended: false')
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    if (!Object.hasOwn(CHECKS, name)) throw new TypeError(`option qs takes ${NAMES}; not ${name}`)
    CHECKS[name](value, `qs.${name}`)
  }
  const checked = Object.fromEntries(given)
  if (checked.plainObjects && checked.strictMerge === false) { // a value would become a field, even __proto__
    throw new TypeError('option qs.plainObjects cannot be combined with strictMerge: false')
  }
  return checked
}

function parseByQs (parser, settings) {
  const { decoder, ...rest } = settings.qs
  const options = decoder === undefined ? rest : { ...rest, decoder: assertSync(decoder) }
  return { ...parser, parse: limitParameters(settings.parameterLimit, createNestedParse(settings, options)) }
}

/** qs would take a promise for the value. */
function assertSync (decoder) {
  return (...args) => {
    const value = decoder(...args)
    if (!isThenable(value)) return value
    value.then(undefined, () => {}) // the TypeError is enough
    throw Object.assign(new TypeError('option qs.decoder must not return a promise'), { status: 500 })
  }
}

module.exports = { checkQs, parseByQs }
