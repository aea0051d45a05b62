'use strict'

// What multipart takes: its type, what a form may have, and where the files go.

const { hasValue, isFunction, isMediaRange, optional, optionalFunction, readObject, readSize, required } =
  require('../core/checks')
const { formatSize } = require('../core/wording')
const { MAX_HEADER, createLimits } = require('../uploads/limits/form-limits')

const FORM = 'multipart/form-data'

/** A wildcard would let other types pass, and each of their bodies would be refused as a form that is wrong. */
const checkType = required(
  (type) => isFunction(type) || [type].flat().every((name) => name === FORM),
  `'${FORM}' or a function: multipart() takes form-data alone. parts() reads every multipart type if it is left out`
)

const isStore = (store) => store === 'memory' || isFunction(store) || store.isDiskStore === true

const readStore = optional(isStore, "'memory', multipart.disk(directory) or a function")

const readStoreOfAll = optional(
  (store) => store === 'stream' || isStore(store),
  "'memory', 'stream', multipart.disk(directory) or a function"
)

function checkStore (store, name, { files }) {
  const field = Object.keys(files).find((field) => store === 'stream' && files[field].store !== undefined)
  if (field !== undefined) throw new TypeError(`option files.${field}.store cannot be combined with store: 'stream'`)
  return store
}

/**
 * @param {unknown} value as it was given
 * @param {string} group the name of the option
 * @param {Record<string, number | undefined>} fallbacks undefined for what follows from other options
 * @param {string[]} [others] what the group takes besides numbers
 */
function readNumbers (value, group, fallbacks, others = []) {
  const numbers = readObject(value ?? {}, group)
  const names = [...Object.keys(fallbacks), ...others]
  const unknown = Object.keys(numbers).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new TypeError(`option ${group} takes ${names.join(', ')}; not ${unknown}`)
  const read = ([name, fallback]) => [name, readSize(numbers[name], `${group}.${name}`, fallback)]
  return Object.fromEntries(Object.entries(fallbacks).map(read))
}

const readFields = (value, name) => readNumbers(value, name, { max: undefined, size: undefined })

/** Name of a field -> rule; `*`: for all others together. */
function readFiles (value, name) {
  const files = value === false ? {} : readObject(value ?? { '*': { max: 10 } }, name)
  return Object.fromEntries(Object.entries(files).map(([field, rule]) => [field, readRule(rule, `${name}.${field}`)]))
}

const readTypes = required(
  (types) => Array.isArray(types) && types.every(isMediaRange),
  'a list of media types in lower case, or of ranges such as image/*'
)

function readRule (rule, name) {
  const { types, filter, store, ...given } = readObject(rule, name)
  const limits = readNumbers(given, name, { min: 0, max: 1, size: Infinity }, ['types', 'filter', 'store'])
  if (limits.min > limits.max) throw new TypeError(`option ${name}.min must not be more than its max, ${limits.max}`)
  return {
    ...limits,
    types: [...readTypes(types ?? ['*/*'], `${name}.types`)],
    ...(hasValue(filter) && { filter: optionalFunction(filter, `${name}.filter`) }),
    ...(hasValue(store) && { store: readStore(store, `${name}.store`) })
  }
}

function readParts (value, name) {
  const limits = readNumbers(value, name, { max: undefined, header: undefined, name: undefined })
  if (limits.header > MAX_HEADER) throw new TypeError(`option ${name}.header must be ${formatSize(MAX_HEADER)} at most`)
  return limits
}

/** Numbers of `fields`, `total` and `limit` that were not given follow from the others, once all options are read. */
function setLimits (parts, name, settings) {
  const rules = hasValue(settings.given.files) ? settings.files : {}
  Object.assign(settings, createLimits({ ...settings, rules }))
  return settings.parts
}

module.exports = {
  checkStore,
  checkType,
  readFields,
  readFiles,
  readParts,
  readStoreOfAll,
  setLimits
}
