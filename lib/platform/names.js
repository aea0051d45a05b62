'use strict'

const MARK = '\x7F' // takes one byte in memory, as all characters of most texts do

/** Names that a text must not show, each with a stand-in. */
class NameTable {
  constructor (text) {
    const mayHaveMark = text.includes(MARK) || text.includes('\\u007')
    // Drawn now, so that no client can have known it.
    this.prefix = mayHaveMark ? MARK + Math.random().toString(36).slice(2) : MARK
    this.standIns = new Map() // by name
    this.names = new Map() // by stand-in
  }

  standInFor (name) {
    let standIn = this.standIns.get(name)
    if (standIn === undefined) {
      standIn = this.prefix + this.names.size
      this.standIns.set(name, standIn)
      this.names.set(standIn, name)
    }
    return standIn
  }

  /** @returns {string} the name that a key has, or stands for */
  nameOf (key) {
    return this.names.get(key) ?? key
  }

  /** @returns {object} the same one, or another if any of its keys is a stand-in */
  rename (object) {
    if (Array.isArray(object)) return object
    const keys = Object.keys(object)
    if (!keys.some((key) => this.names.has(key))) return object
    const renamed = {}
    for (const key of keys) define(renamed, this.nameOf(key), object[key])
    return renamed
  }
}

/** Defines an own property where an assignment would call a setter, or fail because of one that is read-only. */
function define (object, key, value) {
  if (key in Object.prototype) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

/**
 * @param {unknown} value of JSON.parse
 * @param {NameTable} names
 * @returns {unknown} the value with these names, in the same order
 */
function restoreNames (value, names) {
  const root = { value }
  const nodes = [root]
  while (nodes.length > 0) {
    const node = nodes.pop()
    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index++) visit(node, index)
    } else {
      for (const key of Object.keys(node)) visit(node, key)
    }
  }
  return root.value

  function visit (node, key) {
    const child = node[key]
    if (typeof child !== 'object' || child === null) return
    const renamed = names.rename(child)
    if (renamed !== child) node[key] = renamed // an own property, even if it is `__proto__`
    nodes.push(renamed)
  }
}

module.exports = { NameTable, restoreNames }
