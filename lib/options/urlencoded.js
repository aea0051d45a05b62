'use strict'

// Checks of the options of urlencoded: numbers, as body-parser reads them, and `qs`.

const { isFunction, readObject, required } = require('../core/checks')

/** Finite values are truncated to 32 bits, as in body-parser. */
function readParameterLimit (value) {
  if (value === undefined) return 1000
  const number = toNumber(value)
  if (!(number >= 1)) throw new TypeError('option parameterLimit must be a positive number')
  return number === Infinity ? Infinity : number | 0
}

function readDepth (value, name, { settings }) {
  if (!settings.extended) return 0
  if (value === undefined) return 32
  if (!(toNumber(value) >= 0)) throw new TypeError('option depth must be a zero or a positive number')
  if (value === false) return 0
  return typeof value === 'number' ? value : 5 // what qs makes of other types
}

/** NaN, not an exception, for what cannot be converted. */
const toNumber = (value) => typeof value === 'bigint' || typeof value === 'symbol' ? NaN : Number(value)

const isAsync = (value) => Object.prototype.toString.call(value) === '[object AsyncFunction]'

/** Options of qs that urlencoded does not have itself. */
const QS = {
  arrayLimit: required((value) => Number.isInteger(value) && value >= 0, 'zero or a positive integer'),
  decoder: required((value) => isFunction(value) && !isAsync(value), 'a function that is not asynchronous'),
  duplicates: required((value) => ['combine', 'first', 'last'].includes(value), "one of 'combine', 'first' and 'last'")
}
const SWITCHES = [
  'allowDots', 'allowEmptyArrays', 'allowPrototypes', 'allowSparse', 'comma', 'decodeDotInKeys', 'parseArrays',
  'plainObjects', 'strictMerge', 'strictNullHandling', 'throwOnLimitExceeded'
]
for (const name of SWITCHES) QS[name] = required((value) => typeof value === 'boolean', 'true or false')
const NAMES = Object.keys(QS).join(', ')
const OWN = [
  'charset', 'charsetSentinel', 'delimiter', 'depth', 'interpretNumericEntities', 'parameterLimit', 'strictDepth'
]

/** @returns {object} the options of `qs` that are not undefined */
function checkQs (options, option, { extended }) {
  readObject(options, option)
  if (!extended) throw new TypeError('option qs cannot be combined with extended: false')
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    if (OWN.includes(name)) throw new TypeError(`option qs.${name} cannot be combined with urlencoded, which sets it`)
    if (!Object.hasOwn(QS, name)) throw new TypeError(`option qs takes ${NAMES}; not ${name}`)
    QS[name](value, `qs.${name}`)
  }
  const checked = Object.fromEntries(given)
  if (checked.plainObjects && checked.strictMerge === false) { // a value would become a field, even __proto__
    throw new TypeError('option qs.plainObjects cannot be combined with strictMerge: false')
  }
  return checked
}

module.exports = { checkQs, readDepth, readParameterLimit }
