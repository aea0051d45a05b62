'use strict'

// Option `extended`: fields nest by the brackets in their names. The result is that of qs, but takes linear time, where
// qs goes through an array for each field that it adds to it. A name that qs cannot nest, such as `items[0].qty`, is
// kept as it is; qs drops `.qty`.

const errors = require('../../core/errors')
const define = require('../../json-keys/define')

const NESTS = /^[^[\]]+(?:\[[^[\]]*\])*$/
const DIGITS = /^\d+$/
const MIN_ARRAY = 100 // items: a form of fewer fields may have such an array, too

/** @returns {(fields: Record<string, string | string[]>, count: number) => object} throws 400 if it nests too deep */
module.exports = function createNest ({ depth }) {
  return (fields, count) => {
    const root = new Container()
    const maxArray = Math.max(MIN_ARRAY, count)
    const flat = []
    for (const [name, value] of Object.entries(fields)) {
      if (!NESTS.test(name)) flat.push(name)
      else insert(root, depth > 0 && name.includes('[') ? keysOf(name, value, depth) : [name], value, maxArray)
    }
    const body = toObject(root)
    for (const name of flat) define(body, name, fields[name]) // no name of the one is a name of the other
    return body
  }
}

/** What will be an array, with holes until all fields are there, or an object, from the first key that is no index. */
class Container {
  entries = new Map() // string, or number for an index -> text or Container
  isArray = true
  isMixed = false // an array that a text has made of an object
  next = 0 // index of a text that comes without a key; null if that makes an array of it and of this

  set (key, value) {
    this.entries.set(key, value)
    if (this.next !== null && typeof key === 'number') this.next = Math.max(this.next, key + 1)
    return this
  }

  accept (key, maxArray) {
    const isIndex = typeof key === 'number'
    if (isIndex && key < maxArray) return
    if (this.isArray && !this.isMixed) this.next = null
    this.isArray = false
    if (isIndex) this.next ??= 1 + indicesOf(this).reduce((most, index) => Math.max(most, index), key)
  }
}

const indicesOf = ({ entries }) => [...entries.keys()].filter((key) => typeof key === 'number')

const createArray = (items) => items.reduce((array, item, index) => array.set(index, item), new Container())

/** @returns {Array<string | number>} a number for an index; `[]` is the first one, unless an index follows */
function keysOf (name, value, depth) {
  const [first, ...rest] = name.split('[')
  if (rest.length >= depth + 1) throw errors.tooDeep()
  const keys = rest.map((key) => keyOf(key.slice(0, -1)))
  const isFollowed = (at) => at === keys.length - 1 ? Array.isArray(value) : isList(keys[at + 1])
  return [first, ...keys.flatMap((key, at) => key !== '' ? key : isFollowed(at) ? [] : 0)]
}

const keyOf = (text) => DIGITS.test(text) && String(Number(text)) === text ? Number(text) : text

const isList = (key) => key === '' || typeof key === 'number'

/** @param {string | string[]} value of which the texts of an array have indices of their own */
function insert (container, keys, value, maxArray, at = 0) {
  let key = keys[at]
  container.accept(key, maxArray)
  const isLast = at === keys.length - 1
  let found = container.entries.get(key)
  if (container.isArray && (typeof found === 'string' || (found && isLast && typeof value === 'string'))) {
    key = container.next // what has that index stays there
    found = undefined
  }
  if (isLast) return container.set(key, merge(found, value, maxArray))
  const inner = typeof found === 'object' ? found : new Container()
  container.set(key, typeof found === 'string' ? join(found, inner, keys, at + 1, maxArray) : inner)
  insert(inner, keys, value, maxArray, at + 1)
}

/** A text, and what comes with further keys to the same place. */
function join (text, inner, keys, at, maxArray) {
  if (typeof keys[at] !== 'number') return createArray([text, inner])
  keys[at]++
  inner.isArray = keys[at] < maxArray
  return inner.set(0, text)
}

/** A field without further keys, in a place that may have a value. */
function merge (found, value, maxArray) {
  if (typeof value === 'string') return found === undefined ? value : mergeText(found, value)
  if (typeof found !== 'object') return createArray(found === undefined ? value : [found, ...value])
  for (const [index, text] of value.entries()) insert(found, [index], text, maxArray)
  return found
}

function mergeText (found, text) {
  if (text === '') return found
  if (typeof found === 'object' && found.next !== null) return found.set(found.next, text)
  const pair = createArray([found, text])
  pair.isMixed = typeof found === 'object'
  return pair
}

/** Without recursion, as names may nest deep. */
function toObject (root) {
  const object = {}
  const rest = [[root, object]]
  for (const [{ entries, isArray }, target] of rest) {
    const list = isArray ? [...entries].sort(([a], [b]) => a - b) : entries
    for (const [key, value] of list) {
      const plain = typeof value === 'string' ? value : value.isArray ? [] : {}
      if (plain !== value) rest.push([value, plain])
      define(target, isArray ? target.length : key, plain)
    }
  }
  return object
}
