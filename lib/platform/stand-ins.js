'use strict'

const FIRST = '\x7F' // takes one byte in memory, as all characters of most texts do
const RADIX = 36

/** Keys that take the place of those that cannot be written without a backslash. */
class StandIns {
  /** @param {string} text no key in it begins with `prefix` */
  constructor (text) {
    this.prefix = FIRST
    while (text.includes(this.prefix)) this.prefix += String.fromCharCode(0x80 + Math.random() * 0x80)
    this.names = []
    this.unassignable = unassignableNames()
  }

  /** @returns {string} another one at each call */
  create (name) {
    return this.prefix + (this.names.push(name) - 1).toString(RADIX)
  }

  /** @returns {string} the name that a key stands for, or the key */
  nameOf (key) {
    if (key.charCodeAt(0) !== 0x7F || !key.startsWith(this.prefix)) return key
    return this.names[parseInt(key.slice(this.prefix.length), RADIX)]
  }

  /**
   * @param {unknown} value of JSON.parse
   * @returns {unknown} the value with the names, in the same order
   */
  restore (value) {
    const root = [value]
    const nodes = [root]
    while (nodes.length > 0) {
      const node = nodes.pop()
      if (Array.isArray(node)) {
        for (let index = 0; index < node.length; index++) {
          if (isContainer(node[index])) nodes.push(node[index] = this.rename(node[index]))
        }
      } else {
        for (const key of Object.keys(node)) {
          if (isContainer(node[key])) nodes.push(node[key] = this.rename(node[key])) // an own property, even `__proto__`
        }
      }
    }
    return root[0]
  }

  /** @returns {object} the same one if none of its keys is a stand-in */
  rename (object) {
    if (Array.isArray(object)) return object
    const keys = Object.keys(object)
    for (let index = 0; index < keys.length; index++) {
      if (this.nameOf(keys[index]) !== keys[index]) return this.copy(object, keys)
    }
    return object
  }

  /** Like `define`, but faster for many objects: without a descriptor for each inherited name. */
  copy (object, keys) {
    let copy = {}
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]
      const name = this.nameOf(key)
      if (this.unassignable.has(name)) copy = { ...copy, [name]: object[key] }
      else copy[name] = object[key]
    }
    return copy
  }
}

function isContainer (value) {
  return typeof value === 'object' && value !== null
}

/** Of what objects inherit: to assign to `__proto__` calls a setter, and to what the app froze has no effect. */
function unassignableNames () {
  const { prototype } = Object
  return new Set(Object.getOwnPropertyNames(prototype).filter((name) => {
    return Object.getOwnPropertyDescriptor(prototype, name).writable !== true
  }))
}

module.exports = StandIns
