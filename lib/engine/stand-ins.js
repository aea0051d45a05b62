'use strict'

const define = require('./define')

// One-byte characters, as most texts are in memory.
const FIRST = 0x7F
const ZERO = 0x80
const RADIX = 0x80

/** Keys that take the place of those that cannot be written without a backslash. */
class StandIns {
  /** @param {string} text no key in it begins with `prefix` */
  constructor (text) {
    this.prefix = String.fromCharCode(FIRST)
    while (text.includes(this.prefix)) this.prefix += String.fromCharCode(ZERO + Math.random() * RADIX)
    this.names = []
    this.unassignable = unassignableNames()
  }

  /** @returns {string} another one at each call */
  create (name) {
    let standIn = this.prefix
    define(this.names, this.names.length, name)
    for (let number = this.names.length; number > 0; number = Math.floor(number / RADIX)) {
      standIn += String.fromCharCode(ZERO + number % RADIX)
    }
    return standIn
  }

  isStandIn (key) {
    return key.charCodeAt(0) === FIRST && key.startsWith(this.prefix)
  }

  /** @returns {string} the name that a key stands for, or the key */
  nameOf (key) {
    if (!this.isStandIn(key)) return key
    let number = 0
    for (let at = key.length - 1; at >= this.prefix.length; at--) number = number * RADIX + key.charCodeAt(at) - ZERO
    return this.names[number - 1]
  }

  /**
   * @param {unknown} value of JSON.parse
   * @returns {unknown} the value with the names, in the same order
   */
  restore (value) {
    const root = { value }
    let place = isContainer(value) ? { holder: root, key: 'value', next: null } : null
    while (place !== null) {
      const { holder, key, next } = place
      const container = holder[key]
      place = next
      if (Array.isArray(container)) {
        for (let index = 0; index < container.length; index++) {
          if (isContainer(container[index])) place = { holder: container, key: index, next: place }
        }
      } else {
        const keys = Object.keys(container)
        const isLeaf = !hasContainer(container, keys)
        const renamed = this.rename(container, keys)
        if (renamed !== container) holder[key] = renamed // an own property, even `__proto__`
        if (isLeaf) continue
        for (const key of Object.keys(renamed)) {
          if (isContainer(renamed[key])) place = { holder: renamed, key, next: place }
        }
      }
    }
    return root.value
  }

  /** @returns {object} the same one if none of its keys is a stand-in, or if it has index keys */
  rename (object, keys) {
    let first = 0
    while (first < keys.length && keys[first].charCodeAt(0) !== FIRST) first++
    if (first === keys.length) return object
    if (isDigit(keys[0].charCodeAt(0))) return this.renameInPlace(object, keys, first)
    let renamed = {}
    for (let index = 0; index < keys.length; index++) {
      const value = object[keys[index]]
      const name = this.nameOf(keys[index])
      if (this.unassignable.has(name)) renamed = { ...renamed, [name]: value }
      else renamed[name] = value
    }
    return renamed
  }

  /** Copies no index keys, which come first, and of which there may be many. */
  renameInPlace (object, keys, first) {
    for (let index = first; index < keys.length; index++) {
      const value = object[keys[index]]
      delete object[keys[index]]
      define(object, this.nameOf(keys[index]), value)
    }
    return object
  }
}

function isContainer (value) {
  return typeof value === 'object' && value !== null
}

function hasContainer (object, keys) {
  for (let index = 0; index < keys.length; index++) {
    if (isContainer(object[keys[index]])) return true
  }
  return false
}

function isDigit (code) {
  return code >= 0x30 && code <= 0x39
}

/** Of what objects inherit: to assign to `__proto__` calls a setter, and to what the app froze has no effect. */
function unassignableNames () {
  const { prototype } = Object
  return new Set(Object.getOwnPropertyNames(prototype).filter((name) => {
    return Object.getOwnPropertyDescriptor(prototype, name).writable !== true
  }))
}

module.exports = { FIRST, StandIns }
