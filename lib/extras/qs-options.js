'use strict'

// Option `qs` of urlencoded: options of qs that urlencoded does not have.

const SWITCHES = ['allowDots', 'allowEmptyArrays', 'allowSparse', 'comma', 'decodeDotInKeys', 'parseArrays', 'plainObjects', 'strictMerge', 'strictNullHandling', 'throwOnLimitExceeded']
const AsyncFunction = (async () => {}).constructor
const KINDS = {
  arrayLimit: [(value) => Number.isInteger(value) && value >= 0, 'zero or a positive integer'],
  decoder: [(value) => typeof value === 'function' && !(value instanceof AsyncFunction), 'a function that is not asynchronous'],
  duplicates: [(value) => ['combine', 'first', 'last'].includes(value), "one of 'combine', 'first' and 'last'"]
}
for (const name of SWITCHES) KINDS[name] = [(value) => typeof value === 'boolean', 'true or false']
const OWN = ['allowPrototypes', 'charset', 'charsetSentinel', 'delimiter', 'depth', 'interpretNumericEntities', 'parameterLimit', 'strictDepth']

/** @throws {TypeError} for an option that is wrong, or that urlencoded sets itself */
module.exports = function readQsOptions (qs, { extended }) {
  if (typeof qs !== 'object' || Array.isArray(qs)) throw new TypeError('option qs must be an object')
  if (!extended) throw new TypeError('option qs cannot be combined with extended: false')
  const given = Object.entries(qs).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    if (OWN.includes(name)) throw new TypeError(`option qs.${name} cannot be combined with urlencoded, which sets it`)
    if (!Object.hasOwn(KINDS, name)) throw new TypeError(`option qs takes ${Object.keys(KINDS).join(', ')}; not ${name}`)
    const [isRight, kind] = KINDS[name]
    if (!isRight(value)) throw new TypeError(`option qs.${name} must be ${kind}`)
  }
  const { decoder, ...rest } = Object.fromEntries(given)
  return decoder === undefined ? rest : { ...rest, decoder: assertSync(decoder) }
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
