'use strict'

// Takes one byte in memory, as all characters of most texts do. In a stand-in, it
// begins what is written for a character that JSON has to escape.
const MARK = '\x7F'
const OFFSET = 0x80 // added to such a character

const LONG = 100 // characters
const MAX_REMEMBERED = 1000 // names; records have fewer, and other names do not come again

/** Names that cannot be written without a backslash, and what stands for them in a text. */
class StandIns {
  constructor (text) {
    const mayHaveMark = text.includes(MARK) || text.includes('\\u007')
    // Drawn now, so that no client can have known it.
    this.prefix = MARK + (mayHaveMark ? Math.random().toString(36).slice(2) : '')
    this.names = new Map() // by stand-in
    this.numbered = new Map() // by name
  }

  /** @returns {string} another one for each name */
  encode (name) {
    if (name.length > LONG) return this.number(name)
    let standIn = this.prefix
    let start = 0
    for (let at = 0; at < name.length; at++) {
      const code = name.charCodeAt(at)
      if (code > 0x1F && code !== 0x22 && code !== 0x5C && code !== 0x7F) continue
      standIn += name.slice(start, at) + MARK + String.fromCharCode(code + OFFSET)
      start = at + 1
    }
    standIn += name.slice(start)
    if (this.names.size < MAX_REMEMBERED) this.names.set(standIn, name)
    return standIn
  }

  /** Putting a long string together, one character after another, takes long. */
  number (name) {
    let standIn = this.numbered.get(name)
    if (standIn === undefined) {
      standIn = this.prefix + MARK + this.numbered.size
      this.numbered.set(name, standIn)
      this.names.set(standIn, name)
    }
    return standIn
  }

  decode (standIn) {
    let name = ''
    let start = this.prefix.length
    for (let at = standIn.indexOf(MARK, start); at !== -1; at = standIn.indexOf(MARK, start)) {
      name += standIn.slice(start, at) + String.fromCharCode(standIn.charCodeAt(at + 1) - OFFSET)
      start = at + 2
    }
    return name + standIn.slice(start)
  }

  isStandIn (key) {
    return key.charCodeAt(0) === 0x7F && key.startsWith(this.prefix)
  }

  /** @returns {string} the name that a key stands for, or the key */
  nameOf (key) {
    return this.isStandIn(key) ? this.names.get(key) ?? this.decode(key) : key
  }

  /** @returns {object} the same one, or another if any of its keys is a stand-in */
  rename (object) {
    if (Array.isArray(object)) return object
    const keys = Object.keys(object)
    if (!keys.some((key) => this.isStandIn(key))) return object
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
 * @param {StandIns} standIns of the text
 * @returns {unknown} the value with the names, in the same order
 */
function restoreNames (value, standIns) {
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
    const renamed = standIns.rename(child)
    if (renamed !== child) node[key] = renamed // an own property, even if it is `__proto__`
    nodes.push(renamed)
  }
}

module.exports = { StandIns, restoreNames }
