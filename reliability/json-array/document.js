'use strict'

// Draws JSON texts. Values are made as text, so that there is more than one way to write each.

const SPACES = [' ', '\n', '\r\n', '\t', '\r', '\n\r', ' \n ']
const SCALARS = [
  '0', '-1', '1.5', '1e10', '1e-7', '-0.25', '-0', '12345678901234567890', 'true', 'false', 'null', '""', '"a,b"'
]
const PIECES = [
  'a', 'é', '😀', '€', '\\"', '\\\\', '\\/', '\\n', '\\u00e9', '\\ud83d', '[', ']', '{', '}', ',', ':', 'x'.repeat(25)
]
const KEYS = ['a', 'é', '__proto__', 'a/b', 'm~n', '']
const JUNK = [
  'x', '"', ',', ']', '}', '[', '{', '\\', ':', '\n', '\0', ' ', '1', '-', '.', 'e', 'é', '😀', 'tru', '\ufeff', '//'
]
const DEEP = 3 // containers; below are scalars alone

/**
 * @typedef {object} Document
 * @property {Uint8Array} bytes
 * @property {string[]} path keys that lead to the array
 * @property {number[]} cuts where the pieces begin, in ascending order
 * @property {number} sliceBytes of the items that are parsed together
 * @property {number} most of the items behind each that are taken with it, as lists take them
 *
 * @param {(limit: number) => number} draw an integer below the limit
 * @returns {Document}
 */
module.exports = function drawDocument (draw) {
  const text = new Text(draw)
  const path = draw(3) === 0 ? text.many(4, () => text.pick(KEYS)) : []
  const source = text.spaced(path.reduceRight((inner, key) => text.wrap(inner, key), text.items()))
  const bytes = Buffer.from((draw(10) === 0 ? '\ufeff' : '') + text.damage(source))
  if (draw(10) === 0 && bytes.length > 0) bytes[draw(bytes.length)] = 128 + draw(128) // is no UTF-8
  const cuts = drawCuts(draw, bytes.length)
  return { bytes, cuts, path, sliceBytes: text.pick([16, 64, 256, 16384]), most: text.pick([0, 1, 1000]) }
}

class Text {
  constructor (draw) {
    this.draw = draw
  }

  pick (list) {
    return list[this.draw(list.length)]
  }

  many (limit, make) {
    return Array.from({ length: this.draw(limit) }, make)
  }

  space () {
    return this.draw(5) === 0 ? this.pick(SPACES) : ''
  }

  spaced (text) {
    return this.space() + text + this.space()
  }

  string () {
    return `"${this.many(6, () => this.pick(PIECES)).join('')}"`
  }

  member (key, value) {
    return `${this.spaced(key)}:${this.spaced(value)}`
  }

  members (depth) {
    return this.many(3, () => this.member(this.string(), this.value(depth)))
  }

  array (depth, limit) {
    return `[${this.many(limit, () => this.spaced(this.value(depth))).join(',')}]`
  }

  records () {
    return `[${this.many(20, () => `{"id":${this.value(2)}}`).join(',')}]`
  }

  value (depth) {
    const kind = this.draw(depth > DEEP ? 3 : 7)
    if (kind < 2) return this.pick(SCALARS)
    if (kind === 2) return this.string()
    if (kind < 5) return `{${this.members(depth + 1).join(',')}}`
    return kind === 5 && depth < 2 ? this.records() : this.array(depth + 1, 4)
  }

  items () {
    if (this.draw(40) === 0) return this.value(0)
    return this.draw(3) === 0 ? this.records() : this.array(1, this.pick([3, 6, 60]))
  }

  /** Puts a value into an object, beside others. */
  wrap (inner, key) {
    const members = [...this.members(1), this.member(this.write(key), inner)]
    if (this.draw(20) === 0) members.push(this.member(this.write(key), this.value(1)))
    return `{${[...members, ...this.members(1)].join(',')}}`
  }

  write (key) {
    if (this.draw(2) === 0) return JSON.stringify(key)
    return `"${Array.from(key, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
  }

  damage (text) {
    let damaged = text
    for (let count = this.draw(2) * (1 + this.draw(2)); count > 0; count--) {
      const at = this.draw(damaged.length + 1)
      const rest = this.draw(20) === 0 ? Infinity : 2
      const [junk, length] = this.pick([[this.pick(JUNK), 0], [this.pick(JUNK), 1], ['', 1], ['', rest]])
      damaged = damaged.slice(0, at) + junk + damaged.slice(at + length)
    }
    return damaged
  }
}

function drawCuts (draw, length) {
  if (draw(4) === 0) return Array.from({ length }, (_, index) => index)
  return Array.from({ length: draw(6) }, () => draw(length + 1)).sort((a, b) => a - b)
}
