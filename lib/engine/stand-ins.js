'use strict'

const define = require('./define')
const { stringOf, unitsOf } = require('./units')

// A stand-in is a prefix that the text lacks, and the name: each character that
// cannot stand raw in a key is written as ESCAPE and another character. All of
// these are one byte in memory, as most texts are.
const ESCAPE = 0x7F
const SHIFT = 0x60
const ESCAPE_CHARACTER = String.fromCharCode(ESCAPE)

const FEW = 16 // escapes; a string that is joined of more pieces takes long
const SLOTS = 64 // for names that are known; records have fewer, and others do not come again

/** Keys that take the place of those that cannot be written without a backslash. */
class StandIns {
  /** @param {string} text */
  constructor (text) {
    this.prefix = ESCAPE_CHARACTER
    while (text.includes(this.prefix)) this.prefix += String.fromCharCode(0x80 + Math.random() * 0x80)
    this.known = Array.from({ length: SLOTS }, () => '') // stand-ins
    this.names = [...this.known]
    this.unassignable = unassignableNames()
    this.isLeaf = true // of the object that is renamed: it has no object and no array
  }

  /** @returns {string} the name that a key stands for, or the key */
  nameOf (key) {
    if (key.charCodeAt(0) !== ESCAPE || !key.startsWith(this.prefix)) return key
    const slot = (key.length + 3 * key.charCodeAt(key.length - 1) + 5 * key.charCodeAt(key.length >> 1)) % SLOTS
    if (this.known[slot] !== key) {
      this.known[slot] = key
      this.names[slot] = decode(key, this.prefix.length)
    }
    return this.names[slot]
  }

  /**
   * @param {unknown} value of JSON.parse
   * @returns {unknown} the value with the names, in the same order
   */
  restore (value) {
    const root = [value]
    let place = isContainer(value) ? { holder: root, key: 0, next: null } : null
    while (place !== null) {
      const { holder, key } = place
      const container = holder[key]
      place = place.next
      if (Array.isArray(container)) {
        for (let index = 0; index < container.length; index++) {
          if (isContainer(container[index])) place = { holder: container, key: index, next: place }
        }
      } else {
        const keys = Object.keys(container)
        this.isLeaf = true
        const renamed = this.rename(container, keys)
        if (renamed !== container) holder[key] = renamed // an own property, even `__proto__`
        if (this.isLeaf) continue
        for (const key of Object.keys(renamed)) {
          if (isContainer(renamed[key])) place = { holder: renamed, key, next: place }
        }
      }
    }
    return root[0]
  }

  /** @returns {object} the same one if none of its keys is a stand-in, or if it has index keys */
  rename (object, keys) {
    let first = 0
    while (first < keys.length && keys[first].charCodeAt(0) !== ESCAPE) first++
    if (first === keys.length || isDigit(keys[0].charCodeAt(0))) return this.renameInPlace(object, keys, first)
    let renamed = {}
    for (let index = 0; index < keys.length; index++) {
      const value = object[keys[index]]
      const name = this.nameOf(keys[index])
      if (isContainer(value)) this.isLeaf = false
      if (isIn(this.unassignable, name)) renamed = { ...renamed, [name]: value }
      else renamed[name] = value
    }
    return renamed
  }

  /** Copies no index keys, which come first, and of which there may be many. */
  renameInPlace (object, keys, first) {
    for (let index = 0; index < first && this.isLeaf; index++) this.isLeaf = !isContainer(object[keys[index]])
    for (let index = first; index < keys.length; index++) {
      const value = object[keys[index]]
      if (isContainer(value)) this.isLeaf = false
      delete object[keys[index]]
      define(object, this.nameOf(keys[index]), value)
    }
    return object
  }
}

function decode (key, start) {
  let name = ''
  let done = start
  for (let count = 0; count < FEW; count++) {
    const at = key.indexOf(ESCAPE_CHARACTER, done)
    if (at === -1) return name + key.slice(done)
    name += key.slice(done, at) + String.fromCharCode(key.charCodeAt(at + 1) - SHIFT)
    done = at + 2
  }
  return name + decodeMany(key.slice(done))
}

function decodeMany (rest) {
  const units = unitsOf(rest)
  let end = 0
  for (let at = 0; at < rest.length; at++) units[end++] = units[at] === ESCAPE ? units[++at] - SHIFT : units[at]
  return stringOf(units, end)
}

function isIn (list, item) {
  for (let index = 0; index < list.length; index++) {
    if (list[index] === item) return true
  }
  return false
}

function isContainer (value) {
  return typeof value === 'object' && value !== null
}

function isDigit (code) {
  return code >= 0x30 && code <= 0x39
}

/** Of what objects inherit: to assign to `__proto__` calls a setter, and to what the app froze has no effect. */
function unassignableNames () {
  const { prototype } = Object
  return Object.getOwnPropertyNames(prototype).filter((name) => {
    return Object.getOwnPropertyDescriptor(prototype, name).writable !== true
  })
}

module.exports = { ESCAPE, SHIFT, StandIns }
