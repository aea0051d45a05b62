'use strict'

// The check of option `qs` of urlencoded.

const isAsync = (value) => Object.prototype.toString.call(value) === '[object AsyncFunction]'

const KINDS = {
  arrayLimit: [(value) => Number.isInteger(value) && value >= 0, 'zero or a positive integer'],
  decoder: [(value) => typeof value === 'function' && !isAsync(value), 'a function that is not asynchronous'],
  duplicates: [(value) => ['combine', 'first', 'last'].includes(value), "one of 'combine', 'first' and 'last'"]
}
const SWITCHES = [
  'allowDots', 'allowEmptyArrays', 'allowPrototypes', 'allowSparse', 'comma', 'decodeDotInKeys', 'parseArrays',
  'plainObjects', 'strictMerge', 'strictNullHandling', 'throwOnLimitExceeded'
]
for (const name of SWITCHES) KINDS[name] = [(value) => typeof value === 'boolean', 'true or false']
const OWN = [
  'charset', 'charsetSentinel', 'delimiter', 'depth', 'interpretNumericEntities', 'parameterLimit', 'strictDepth'
]

/** @returns {object} the options that are not undefined */
module.exports = function checkQs (options, { extended }) {
  if (typeof options !== 'object' || Array.isArray(options)) throw new TypeError('option qs must be an object')
  if (!extended) throw new TypeError('option qs cannot be combined with extended: false')
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    if (OWN.includes(name)) throw new TypeError(`option qs.${name} cannot be combined with urlencoded, which sets it`)
    const names = Object.keys(KINDS)
    if (!names.includes(name)) throw new TypeError(`option qs takes ${names.join(', ')}; not ${name}`)
    const [isRight, kind] = KINDS[name]
    if (!isRight(value)) throw new TypeError(`option qs.${name} must be ${kind}`)
  }
  const checked = Object.fromEntries(given)
  if (checked.plainObjects && checked.strictMerge === false) { // a value would become a field, even __proto__
    throw new TypeError('option qs.plainObjects cannot be combined with strictMerge: false')
  }
  return checked
}
