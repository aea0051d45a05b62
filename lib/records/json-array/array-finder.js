'use strict'

const { EVENTS, FAULT, Grammar, setOf } = require('../../json-slices/grammar')
const { OPEN_BRACE, OPEN_BRACKET, skipBlanks } = require('../../json-keys/text')
const SoughtKey = require('./sought-key')

const KEYS = setOf(
  EVENTS.BEGIN_FIRST_KEY, EVENTS.BEGIN_KEY, EVENTS.END_FIRST_KEY, EVENTS.END_KEY, EVENTS.CLOSE_OBJECT
)
const CHILD = setOf(EVENTS.BEGIN_CHILD)
const OPENING = setOf(EVENTS.OPEN_ARRAY, EVENTS.OPEN_OBJECT)
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
    this.keys = keys.map((key) => new SoughtKey(key, decode))
    this.maxDepth = maxDepth
    this.grammar = new Grammar(maxDepth + keys.length + 1)
    this.grammar.watched = KEYS // and others when the next one of the path is there
    this.seenKeys = 0 // how many of the path have come
    this.level = 0 // how many objects of the path are open
    this.awaitsValue = true // that the path leads to
    this.key = null // one of them, while a key is read that may be the same
    this.isFound = false
    this.mistake = null // `{ key }`: a second one of the path; `{ level, kind }`: another value than it needs
  }

  /** @returns {number} index behind the bracket that opens the array, of a fault, or of a mistake; or the end */
  read (bytes, start) {
    const { grammar, isFound } = this
    let at = start
    while (at < bytes.length) {
      if (this.awaitsValue) {
        at = skipBlanks(bytes, at, bytes.length)
        if (at === bytes.length) break
        this.awaitsValue = false
        this.examine(bytes[at])
        if (this.mistake !== null) break
      }
      const begin = at
      at = grammar.read(bytes, begin, bytes.length)
      if (grammar.event === FAULT) break // maybe in a key
      if (this.key !== null) this.key.read(bytes, begin, at, grammar.event !== null)
      this.follow(grammar.event)
      if (this.mistake !== null || this.isFound !== isFound) break
    }
    return at
  }

  /** Of the value that the path leads to, the first byte. What begins no value is left to the grammar. */
  examine (byte) {
    const isLast = this.level === this.keys.length
    if (byte === (isLast ? OPEN_BRACKET : OPEN_BRACE)) {
      this.grammar.watched = KEYS | OPENING
      return
    }
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
    if (this.grammar.depth === this.level) this.key = this.keys[this.level - 1]
  }

  endKey () {
    const { key, level } = this
    this.key = null
    if (key === null || !key.isSame) return
    if (level <= this.seenKeys) this.mistake = { level }
    this.seenKeys = level
    this.grammar.watched = KEYS | CHILD
  }

  beginChild () {
    this.grammar.watched = KEYS
    this.awaitsValue = true
  }

  open () {
    this.grammar.watched = KEYS
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

const kindOf = (character) => /[-\d]/.test(character) ? 'a number' : KINDS[character]

module.exports = ArrayFinder
