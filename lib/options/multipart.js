'use strict'

// The checks of the options of multipart.

const { readBytes, readSize } = require('../checks')

const MEDIA_RANGE = /^(?:\*\/\*|[a-z0-9!#$&^_.+-]+\/(?:\*|[a-z0-9!#$&^_.+-]+))$/
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
  const files = value === false ? {} : readObject(name, value ?? { '*': { max: 10 } })
  return Object.fromEntries(Object.entries(files).map(([field, rule]) => [field, readRule(`${name}.${field}`, rule)]))
}

function readRule (name, rule) {
  const { types = ['*/*'], ...limits } = readObject(name, rule)
  if (!Array.isArray(types) || !types.every((type) => MEDIA_RANGE.test(type))) {
    const kinds = 'a list of media types in lower case, or of ranges such as image/*'
    throw new TypeError(`option ${name}.types must be ${kinds}`)
  }
  return { ...readLimits(name, limits, { max: 1, size: Infinity }, ['types']), types: [...types] }
}

/** @param {string[]} [others] what the group takes besides limits */
function readLimits (group, given, defaults, others = []) {
  const limits = readObject(group, given ?? {})
  const unknown = Object.keys(limits).find((name) => !Object.hasOwn(defaults, name))
  if (unknown !== undefined) {
    const names = [...Object.keys(defaults), ...others].join(', ')
    throw new TypeError(`option ${group} takes ${names}; not ${unknown}`)
  }
  const read = ([name, fallback]) => [name, readSize(`${group}.${name}`, limits[name], fallback)]
  return Object.fromEntries(Object.entries(defaults).map(read))
}

function readObject (name, value) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new TypeError(`option ${name} must be an object`)
}

function readStore (value, name) {
  const store = value ?? 'memory'
  const isStore = store === 'memory' || typeof store === 'function' || store.isDiskStore === true
  if (!isStore) throw new TypeError(`option ${name} must be 'memory', multipart.disk(directory) or a function`)
  return store
}

/** Behind `files`, which decides the default. A function may allow more for some requests. */
function readLimit (value, name, { settings: { files } }) {
  if (typeof value === 'function') return value
  const limit = readBytes(name, value, defaultLimit(Object.values(files)))
  for (const [field, { size }] of Object.entries(files)) {
    if (size === Infinity || size < limit) continue
    throw new TypeError(`option files.${field}.size cannot be reached: ` +
      `it is ${size}, and ${name}, which is for the whole form, is ${limit}`)
  }
  return limit
}

/** What the rules allow, if each of them is bounded, and room for the fields. */
function defaultLimit (rules) {
  const sum = rules.reduce((sum, { max, size }) => sum + max * size, DEFAULT_LIMIT)
  return Number.isFinite(sum) ? sum : DEFAULT_LIMIT
}

module.exports = { fields: readFields, files: readFiles, limit: readLimit, parts: readParts, store: readStore }
