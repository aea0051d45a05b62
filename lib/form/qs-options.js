'use strict'

// Option `qs` of urlencoded: options of qs that urlencoded does not have.

const createNestedParse = require('./nested')
const { limitParameters } = require('./parse')

const SWITCHES = ['allowDots', 'allowEmptyArrays', 'allowPrototypes', 'allowSparse', 'comma', 'decodeDotInKeys', 'parseArrays', 'plainObjects', 'strictMerge', 'strictNullHandling', 'throwOnLimitExceeded']
const isAsync = (value) => Object.prototype.toString.call(value) === '[object AsyncFunction]'
const KINDS = {
  arrayLimit: [(value) => Number.isInteger(value) && value >= 0, 'zero or a positive integer'],
  decoder: [(value) => typeof value === 'function' && !isAsync(value), 'a function that is not asynchronous'],
  duplicates: [(value) => ['combine', 'first', 'last'].includes(value), "one of 'combine', 'first' and 'last'"]
}
for (const name of SWITCHES) KINDS[name] = [(value) => typeof value === 'boolean', 'true or false']
const OWN = ['charset', 'charsetSentinel', 'delimiter', 'depth', 'interpretNumericEntities', 'parameterLimit', 'strictDepth']

/** Changes a parser that is being composed. */
module.exports = function extendParser (parser, settings) {
  if (typeof settings.qs !== 'object' || Array.isArray(settings.qs)) throw new TypeError('option qs must be an object')
  if (!settings.extended) throw new TypeError('option qs cannot be combined with extended: false')
  const { decoder, ...rest } = check(settings.qs)
  if (rest.plainObjects && rest.strictMerge === false) throw new TypeError('option qs.plainObjects cannot be combined with strictMerge: false') // a value would become a field, even __proto__
  const options = decoder === undefined ? rest : { ...rest, decoder: assertSync(decoder) }
  return { ...parser, parse: limitParameters(settings.parameterLimit, createNestedParse(settings, options)) }
}

function check (options) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    if (OWN.includes(name)) throw new TypeError(`option qs.${name} cannot be combined with urlencoded, which sets it`)
    if (!Object.hasOwn(KINDS, name)) throw new TypeError(`option qs takes ${Object.keys(KINDS).join(', ')}; not ${name}`)
    const [isRight, kind] = KINDS[name]
    if (!isRight(value)) throw new TypeError(`option qs.${name} must be ${kind}`)
  }
  return Object.fromEntries(given)
}

/** qs would take a promise for the value. */
function assertSync (decoder) {
  return (...args) => {
    const value = decoder(...args)
    if (typeof value?.then !== 'function') return value
    value.then(undefined, () => {}) // the TypeError is enough
    throw Object.assign(new TypeError('option qs.decoder must not return a promise'), { status: 500 })
  }
}
