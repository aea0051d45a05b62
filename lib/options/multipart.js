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
  required,
  size
} = require('../checks')

const MAX_HEADER = 1024 * 1024 // bytes, which are allocated at once
const DEFAULT_LIMIT = 1024 * 1024 // bytes, without those of files that have a size

const readFields = (value, name) => readLimits(name, value, { max: 100, size: 102400 })

function readParts (value, name) {
  const limits = readLimits(name, value, { max: 200, header: 16384, name: 200 })
  if (limits.header > MAX_HEADER) throw new TypeError(`option ${name}.header must be ${MAX_HEADER} bytes at most`)
  return limits
}

/** Name of a field -> rule; `*`: for all others together. */
function readFiles (value, name) {
  const files = value === false ? {} : readObject(value ?? { '*': { max: 10 } }, name)
  return Object.fromEntries(Object.entries(files).map(([field, rule]) => [field, readRule(`${name}.${field}`, rule)]))
}

function readRule (name, rule) {
  const { types, filter, store, ...given } = readObject(rule, name)
  const limits = readLimits(name, given, { min: 0, max: 1, size: Infinity }, ['types', 'filter', 'store'])
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

const WHOLE = 'limit, which is for the whole form'

/** Behind `files` and `total`, which decide the default. A function may allow more for some requests. */
function readLimit (value, name, { settings: { files, total } }) {
  const limit = isFunction(value) ? Infinity : readBytes(name, value, defaultLimit(Object.values(files), total))
  for (const [field, { size }] of Object.entries(files)) {
    if (size === Infinity) continue
    if (size > total) throw unreachable(`files.${field}.size`, size, 'total, which is for all files', total)
    if (size >= limit) throw unreachable(`files.${field}.size`, size, WHOLE, limit)
  }
  if (hasValue(value) && total !== Infinity && total >= limit) throw unreachable('total', total, WHOLE, limit)
  return isFunction(value) ? value : limit
}

const unreachable = (option, size, other, bound) =>
  new TypeError(`option ${option} cannot be reached: it is ${size}, and ${other}, is ${bound}`)

/** What the rules and `total` allow, if that is bounded, and room for the fields. */
function defaultLimit (rules, total) {
  const sum = rules.reduce((sum, { max, size }) => sum + (max * size || 0), 0) // NaN: 0 files of any size
  const files = Math.min(sum, total)
  return DEFAULT_LIMIT + (Number.isFinite(files) ? files : 0)
}

module.exports = {
  fields: readFields,
  files: readFiles,
  limit: readLimit,
  parts: readParts,
  store: readStore,
  total: size(Infinity)
}
