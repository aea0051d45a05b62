'use strict'

const { stringOf, unitsOf } = require('./code-units')
const define = require('./define')
const { isRestricted } = define
const { BACKSLASH, QUOTE, SPACE } = require('./text')

// A stand-in is the name, in which a mark that the text lacks and another
// character take the place of each one that cannot stand raw, and the mark again.
const DELETE = 0x7F
const MARK = '\x7F' // one byte in memory, as most texts are
const SHIFT = 0x60

const FEW_ESCAPES = 16 // a name with more is decoded by code units: to join so many slices takes longer
const FEW_KEYS = 100 // to define so many takes less time than to ask whether an assignment would do
const MAX_NAMES = 1000 // that are remembered: records have fewer, and the names of a large object do not occur again

/** Keys that take the place of those that cannot be written without a backslash. */
class StandIns {
  /** @param {string} text */
  constructor (text) {
    this.mark = text.includes(MARK) ? randomMark() : MARK
    this.lastCode = this.mark.charCodeAt(this.mark.length - 1)
    this.count = 0 // keys in the text that are stand-ins, and not restored yet
    this.names = new Map() // by stand-in
    this.mustDefine = true // whether an assignment may do something else than to define a property
    this.pending = null // a linked list of the containers whose children have not been looked at
  }

  /** Whether a name with this character has a stand-in: no key of the text has it raw. */
  isNeeded (code) {
    return code < SPACE || code === QUOTE || code === BACKSLASH || (code === DELETE && this.mark === MARK)
  }

  isStandIn (key) {
    return key.charCodeAt(key.length - 1) === this.lastCode && key.endsWith(this.mark)
  }

  /**
   * @param {unknown} value of JSON.parse
   * @returns {unknown} the value with the names, in the same order
   */
  restore (value) {
    const root = [value]
    this.mustDefine = this.count < FEW_KEYS || isRestricted()
    this.pending = { container: root, keys: null, next: null }
    while (this.pending !== null && this.count > 0) {
      const { container, keys, next } = this.pending
      this.pending = next
      const { length } = keys ?? container
      for (let index = 0; index < length; index++) {
        const key = keys === null ? index : keys[index]
        const child = container[key]
        if (!isContainer(child)) continue
        if (Array.isArray(child)) {
          this.pending = { container: child, keys: null, next: this.pending }
        } else {
          const renamed = this.rename(child)
          if (renamed !== child) container[key] = renamed // an own property, even `__proto__`
        }
      }
    }
    return root[0]
  }

  /** @returns {object} a new one if it has stand-ins, and no index keys: these come first, and may be many */
  rename (object) {
    const keys = Object.keys(object)
    let first = 0
    while (first < keys.length && !this.isStandIn(keys[first])) first++
    const renamed = first === keys.length || keys[0] < ':' ? object : {}
    let isLeaf = true
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]
      const value = object[key]
      if (isContainer(value)) isLeaf = false
      if (renamed === object && index < first) continue
      if (renamed === object) delete object[key]
      const name = index < first ? key : this.nameOf(key)
      if (this.mustDefine || name === '__proto__') define(renamed, name, value)
      else renamed[name] = value
    }
    if (!isLeaf) this.pending = { container: renamed, keys: Object.keys(renamed), next: this.pending }
    return renamed
  }

  /** @returns {string} the name that a key stands for, or the key */
  nameOf (key) {
    if (!this.isStandIn(key)) return key
    this.count--
    let name = this.names.get(key)
    if (name !== undefined) return name
    name = decode(key, this.mark)
    if (this.names.size < MAX_NAMES) this.names.set(key, name)
    return name
  }
}

/** @returns {string} the name that a key stands for */
function decode (key, mark) {
  const end = key.length - mark.length
  let name = ''
  let done = 0
  for (let count = 0; count < FEW_ESCAPES; count++) {
    const at = key.indexOf(mark, done)
    if (at === end) return name + key.slice(done, end)
    name += key.slice(done, at) + String.fromCharCode(key.charCodeAt(at + mark.length) - SHIFT)
    done = at + mark.length + 1
  }
  return name + decodeMany(key.slice(done, end), mark)
}

function decodeMany (rest, mark) {
  const units = unitsOf(rest)
  const first = mark.charCodeAt(0)
  let length = 0
  for (let at = 0; at < rest.length; at++) {
    if (units[at] === first && (mark === MARK || rest.startsWith(mark, at))) {
      at += mark.length
      units[at] -= SHIFT
    }
    units[length++] = units[at]
  }
  return stringOf(units, length)
}

/** Of so many characters that a client cannot guess it. */
function randomMark () {
  return Math.random().toString(36)
}

function isContainer (value) {
  return typeof value === 'object' && value !== null
}

module.exports = { SHIFT, StandIns }
