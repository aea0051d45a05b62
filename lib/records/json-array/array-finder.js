'use strict'

const ChunkList = require('../../core/source/chunk-list')
const { EVENTS, FAULT, Grammar, setOf } = require('../../json-slices/grammar')
const { BACKSLASH, ESCAPES, LOWER_U, OPEN_BRACE, OPEN_BRACKET, readHex, skipBlanks } = require('../../json-keys/text')

const KEYS = setOf(EVENTS.BEGIN_KEY, EVENTS.END_KEY, EVENTS.CLOSE_OBJECT)
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

const UNIT = 6 // bytes that a UTF-16 code unit may take, as in \u0061
const encoder = new TextEncoder()

/**
 * Follows a path of keys to an array, in bytes that may be cut anywhere. Checks
 * what stands before and behind it, and holds nothing of that.
 */
class ArrayFinder {
  /**
   * @param {string[]} keys of objects, each in the one before
   * @param {number} maxDepth of containers beside the path
   */
  constructor (keys, maxDepth) {
    this.keys = keys.map((key) => new SoughtKey(key))
    this.maxDepth = maxDepth
    this.grammar = new Grammar(maxDepth + keys.length + 1)
    this.grammar.watched = KEYS // and other events once the next key of the path is found
    this.seenKeys = 0 // how many keys of the path have been found
    this.level = 0 // how many objects on the path are open
    this.awaitsValue = true // the next token begins a value on the path
    this.key = null // the SoughtKey that a key is compared with, while it is read
    this.isFound = false
    this.mistake = null // `{ level }`: a key of the path occurs again; `{ level, kind }`: a value on it is of this kind
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

  /** @param {number} byte the first one of a value on the path; the grammar refuses what begins no value */
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
      case EVENTS.BEGIN_KEY: return this.beginKey()
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

/**
 * A key of the path, which is compared with other keys byte by byte: a client may
 * send a key for each few bytes, and to decode them would take much longer.
 */
class SoughtKey {
  constructor (key) {
    this.characters = Array.from(key, (text) => ({ bytes: encoder.encode(text), text }))
    this.maxBytes = key.length * UNIT + 1 // with the last quote
    this.part = null // bytes of the other key in earlier chunks
    this.isSame = false // whether the other key was the same
  }

  /**
   * @param {Uint8Array} bytes of the other key, behind its first quote
   * @param {number} start
   * @param {number} end
   * @param {boolean} isEnd whether they end with its last quote
   */
  read (bytes, start, end, isEnd) {
    if (isEnd && this.part === null) {
      this.isSame = this.equals(bytes, start, end)
      return
    }
    this.part ??= ChunkList.ofCopies()
    this.part.write(bytes, start, Math.min(end, start + this.maxBytes + 1 - this.part.length))
    if (!isEnd) return
    this.isSame = this.equals(this.part.join(), 0, this.part.length)
    this.part = null
  }

  equals (bytes, start, end) {
    if (end - start > this.maxBytes) return false
    let at = start
    for (const character of this.characters) {
      at = bytes[at] === BACKSLASH ? skipEscapes(bytes, at, character.text) : skipBytes(bytes, at, character.bytes)
      if (at === -1) return false
    }
    return at === end - 1
  }
}

// Each returns the index behind what it looks for; -1 if something else is there.

function skipBytes (bytes, start, wanted) {
  for (let index = 0; index < wanted.length; index++) {
    if (bytes[start + index] !== wanted[index]) return -1
  }
  return start + wanted.length
}

/** @param {string} wanted a character, of which each code unit must be an escape */
function skipEscapes (bytes, start, wanted) {
  let at = start
  for (let index = 0; index < wanted.length; index++) {
    if (bytes[at] !== BACKSLASH) return -1
    const isHex = bytes[at + 1] === LOWER_U
    const unit = isHex ? readHex(bytes, at + 2) : ESCAPES[bytes[at + 1]]
    if (unit !== wanted.charCodeAt(index)) return -1
    at += isHex ? 6 : 2
  }
  return at
}

module.exports = ArrayFinder
