'use strict'

const ByteArray = require('../../core/body/byte-array')
const { EVENTS, FAULT, Grammar } = require('./grammar')
const { OPEN_BRACE, OPEN_BRACKET, isBlank } = require('../../json-keys/text')

const UNIT = 6 // bytes that a UTF-16 code unit of a key may take, as in \u0061
const KINDS = {
  __proto__: null,
  '"': 'a string',
  '[': 'an array',
  '{': 'an object',
  f: 'a boolean',
  n: 'null',
  t: 'a boolean'
}

/**
 * Follows a path of keys to an array, in bytes that may be cut anywhere. Checks
 * what stands before and behind it, and holds nothing of that.
 */
class ArrayFinder {
  /**
   * @param {string[]} keys of objects, each in the one before
   * @param {(bytes: Uint8Array) => string} decode
   * @param {number} maxDepth of containers beside the path
   */
  constructor (keys, decode, maxDepth) {
    this.keys = keys
    this.decode = decode
    this.maxDepth = maxDepth
    this.grammar = new Grammar(maxDepth + keys.length + 1)
    this.seenKeys = 0 // how many of the path have come
    this.level = 0 // how many objects of the path are open
    this.awaitsValue = true // that the path leads to
    this.key = null // bytes of one that is read
    this.isKeyNext = false // the key before is the next one of the path
    this.opensNext = false // the container that opens is the one that the path needs
    this.isFound = false
    this.mistake = null // `{ key }`: a second one of the path; `{ level, kind }`: another value than it needs
  }

  /** @returns {number} index behind the bracket that opens the array, of a fault, or of a mistake; or the end */
  read (bytes, start) {
    const { grammar, isFound } = this
    let at = start
    while (at < bytes.length) {
      if (this.awaitsValue) {
        while (isBlank(bytes[at])) at++
        if (at === bytes.length) break
        this.awaitsValue = false
        this.examine(bytes[at])
        if (this.mistake !== null) break
      }
      const begin = at
      at = grammar.read(bytes, begin, bytes.length)
      if (this.key !== null) this.key.append(bytes.subarray(begin, at))
      if (grammar.event === FAULT) break
      this.follow(grammar.event)
      if (this.mistake !== null || this.isFound !== isFound) break
    }
    return at
  }

  /** Of the value that the path leads to, the first byte. What begins no value is left to the grammar. */
  examine (byte) {
    const isLast = this.level === this.keys.length
    this.opensNext = byte === (isLast ? OPEN_BRACKET : OPEN_BRACE)
    if (this.opensNext) return
    const kind = kindOf(String.fromCharCode(byte))
    if (kind !== undefined) this.mistake = { level: this.level, kind }
  }

  follow (event) {
    switch (event) {
      case EVENTS.BEGIN_FIRST_KEY:
      case EVENTS.BEGIN_KEY: return this.beginKey()
      case EVENTS.END_FIRST_KEY:
      case EVENTS.END_KEY: return this.endKey()
      case EVENTS.BEGIN_CHILD: return this.beginChild()
      case EVENTS.OPEN_ARRAY:
      case EVENTS.OPEN_OBJECT: return this.open()
      case EVENTS.CLOSE_OBJECT: return this.close()
    }
  }

  beginKey () {
    if (this.grammar.depth === this.level) this.key = new Key(this.keys[this.level - 1])
  }

  endKey () {
    const { key, level } = this
    this.key = null
    if (key === null || !key.isWanted(this.decode)) return
    if (level <= this.seenKeys) this.mistake = { level }
    this.seenKeys = level
    this.isKeyNext = true
  }

  beginChild () {
    this.awaitsValue = this.isKeyNext
    this.isKeyNext = false
  }

  open () {
    if (!this.opensNext) return
    this.opensNext = false
    if (this.level === this.keys.length) this.isFound = true
    else this.setLevel(this.level + 1)
  }

  close () {
    if (this.grammar.depth < this.level) this.setLevel(this.grammar.depth)
  }

  setLevel (level) {
    this.level = level
    this.grammar.watchedDepth = level
  }
}

/** A key that may be long, compared with one that is known. */
class Key {
  constructor (wanted) {
    this.wanted = wanted
    this.bytes = new ByteArray()
  }

  append (bytes) {
    if (this.bytes.size <= this.maxBytes) this.bytes.append(bytes.subarray(0, this.maxBytes + 1))
  }

  get maxBytes () {
    return this.wanted.length * UNIT + 1 // with its last quote
  }

  isWanted (decode) {
    if (this.bytes.size > this.maxBytes) return false
    return JSON.parse(`"${decode(this.bytes.view())}`) === this.wanted
  }
}

const kindOf = (character) => /[-\d]/.test(character) ? 'a number' : KINDS[character]

module.exports = ArrayFinder
