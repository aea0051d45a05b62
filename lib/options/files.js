'use strict'

// Option `files` of multipart: name of a field -> rule; `*`: for all others together.

const { hasValue, isMediaRange, optionalFunction, readObject, required } = require('../core/checks')
const readNumbers = require('./number-group')
const readStore = require('./store')

const readTypes = required(
  (types) => Array.isArray(types) && types.every(isMediaRange),
  'a list of media types in lower case, or of ranges such as image/*'
)

module.exports = function readFiles (value, name) {
  const files = value === false ? {} : readObject(value ?? { '*': { max: 10 } }, name)
  return Object.fromEntries(Object.entries(files).map(([field, rule]) => [field, readRule(rule, `${name}.${field}`)]))
}

function readRule (rule, name) {
  const { types, filter, store, ...given } = readObject(rule, name)
  const limits = readNumbers(given, name, { min: 0, max: 1, size: Infinity }, ['types', 'filter', 'store'])
  if (limits.min === Infinity) throw new TypeError(`option ${name}.min must be a finite number of files`)
  if (limits.min > limits.max) throw new TypeError(`option ${name}.min must not be more than its max, ${limits.max}`)
  return {
    ...limits,
    types: [...readTypes(types ?? ['*/*'], `${name}.types`)],
    ...(hasValue(filter) && { filter: optionalFunction(filter, `${name}.filter`) }),
    ...(hasValue(store) && { store: readStore(store, `${name}.store`) })
  }
}
