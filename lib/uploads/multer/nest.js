'use strict'

// Fields into an object, nested by the brackets in their names as the W3C's
// draft "HTML JSON form submission" has it. No object has a prototype.

const { MulterError } = require('./errors')

const NESTED = /^([^[]+)((?:\[[^\]]+\])*)(\[\])?$/
const KEY = /\[([^\]]+)\]/g
const INDEX = /^\d+$/
const MAX_LENGTH = 2 ** 32 - 1 // of an array
const MAX_GAP = 16 // entries that an array gets memory for without having them

/**
 * @param {object} fields without a prototype
 * @param {string} name such as `a`, `a[]`, `a[0]` or `a[b][c][]`; any other has no brackets that count
 * @param {unknown} value
 */
function addNested (fields, name, value) {
  const { keys, isList } = parseName(name)
  const last = keys.length - 1
  let target = fields
  for (let at = 0; at < last; at++) target = open(target, keys[at], typeof keys[at + 1] === 'number')
  put(target, keys[last], value, isList, name)
}

function parseName (name) {
  const match = name.includes('[') ? NESTED.exec(name) : null
  if (match === null) return { keys: [name], isList: false }
  const [, first, rest, list] = match
  const keys = Array.from(rest.matchAll(KEY), ([, key]) => INDEX.test(key) ? Number(key) : key)
  return { keys: [first, ...keys], isList: list !== undefined }
}

/** The object or the array that a key of `target` has. */
function open (target, key, isIndexed) {
  const found = ownOf(target, key)
  if (isContainer(found) && (isIndexed || !Array.isArray(found))) return found
  if (found === undefined && isIndexed) return assign(target, key, [])
  const object = Object.create(null)
  // Its own keys: an array may have a length of billions, and few entries.
  if (Array.isArray(found)) Object.assign(object, found)
  else if (found !== undefined) object[''] = found
  return assign(target, key, object)
}

/** An array inherits what somebody has put on `Object.prototype[0]`. */
const ownOf = (target, key) => Object.hasOwn(target, key) ? target[key] : undefined

function assign (target, key, value) {
  if (Array.isArray(target) && key > MAX_GAP + 2 * target.length && key < MAX_LENGTH) makeSparse(target)
  target[key] = value
  return value
}

/** Else V8 gets memory for all indices up to the next: 12 KB for `a[1000]`. It does not for those of the longest. */
function makeSparse (list) {
  const { length } = list
  list.length = MAX_LENGTH
  list.length = length
}

function put (target, key, value, isList, name) {
  const found = ownOf(target, key)
  if (found === undefined) assign(target, key, isList ? [value] : value)
  else if (Array.isArray(found)) push(found, value, name)
  else if (isContainer(found)) put(found, '', value, false, name)
  else target[key] = [found, value]
}

function push (list, value, name) {
  if (list.length === MAX_LENGTH) throw new MulterError('INVALID_FIELD_NAME', name)
  list.push(value)
}

const isContainer = (value) => typeof value === 'object'

/** @throws {MulterError} for brackets that nest deeper, or have a higher index, than the limits allow */
function checkName (name, { fieldNestingDepth, fieldArrayIndexLimit }) {
  if (!name.includes('[')) return
  if (name.split('[').length - 1 > fieldNestingDepth) throw new MulterError('LIMIT_FIELD_NESTING', name)
  const isOver = (key) => typeof key === 'number' && key > fieldArrayIndexLimit
  if (parseName(name).keys.some(isOver)) throw new MulterError('LIMIT_FIELD_ARRAY_INDEX', name)
}

module.exports = { addNested, checkName }
