'use strict'

// The checks of the options of multipart.

const {
  hasValue,
  isFunction,
  isMediaRange,
  kind,
  optionalFunction,
  readBytes,
  readObject,
  readSize,
  required
} = require('../core/checks')
const { createLimits } = require('../uploads/limits/limits')
const { MAX_HEADER } = require('../uploads/limits/reach')
const { formatSize } = require('../core/wording')

const FORM = 'multipart/form-data'

// Numbers that were not given are undefined until all options are read: they follow from the others.

const readFields = (value, name) => readLimits(name, value, { max: undefined, size: undefined })

function readParts (value, name) {
  const limits = readLimits(name, value, { max: undefined, header: undefined, name: undefined })
  if (limits.header > MAX_HEADER) throw new TypeError(`option ${name}.header must be ${formatSize(MAX_HEADER)} at most`)
  return limits
}

/** A wildcard would let other types pass, and each of their bodies would be refused as a form that is wrong. */
const readType = required(
  (type) => isFunction(type) || [type].flat().every((name) => name === FORM),
  `'${FORM}' or a function: multipart() takes form-data alone. parts() reads every multipart type if it is left out`
)

/** Name of a field -> rule; `*`: for all others together. */
function readFiles (value, name) {
  const files = value === false ? {} : readObject(value ?? { '*': { max: 10 } }, name)
  return Object.fromEntries(Object.entries(files).map(([field, rule]) => [field, readRule(`${name}.${field}`, rule)]))
}

function readRule (name, rule) {
  const { types, filter, store, ...given } = readObject(rule, name)
  const limits = readLimits(name, given, { min: 0, max: 1, size: Infinity }, ['types', 'filter', 'store'])
  if (limits.min === Infinity) throw new TypeError(`option ${name}.min must be a finite number of files`)
  if (limits.min > limits.max) throw new TypeError(`option ${name}.min must not be more than its max, ${limits.max}`)
  return {
    ...limits,
    types: [...readTypes(types ?? ['*/*'], `${name}.types`)],
    ...(hasValue(filter) && { filter: optionalFunction(filter, `${name}.filter`) }),
    ...(hasValue(store) && { store: readStore(store, `${name}.store`) })
  }
}

/** @param {string[]} [others] what the group takes besides limits */
function readLimits (group, given, defaults, others = []) {
  const limits = readObject(given ?? {}, group)
  const names = [...Object.keys(defaults), ...others]
  const unknown = Object.keys(limits).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new TypeError(`option ${group} takes ${names.join(', ')}; not ${unknown}`)
  const read = ([name, fallback]) => [name, readSize(`${group}.${name}`, limits[name], fallback)]
  return Object.fromEntries(Object.entries(defaults).map(read))
}

const readTypes = required(
  (types) => Array.isArray(types) && types.every(isMediaRange),
  'a list of media types in lower case, or of ranges such as image/*'
)
const readStore = kind(
  (store) => store === 'memory' || isFunction(store) || store.isDiskStore === true,
  "'memory', multipart.disk(directory) or a function",
  'memory'
)

const readTotal = (value, name) => readSize(name, value, undefined)

/** A function may allow more for some requests. */
const readLimit = (value, name) => isFunction(value) ? value : readBytes(name, value, undefined)

/** Once all options are read: fills in what was not given. */
function complete (parts, name, settings) {
  const rules = hasValue(settings.given.files) ? settings.files : {}
  Object.assign(settings, createLimits({ ...settings, rules }))
  return settings.parts
}

module.exports = {
  complete,
  fields: readFields,
  files: readFiles,
  limit: readLimit,
  parts: readParts,
  store: readStore,
  total: readTotal,
  type: readType
}
