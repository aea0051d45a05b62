'use strict'

const ChunkList = require('../../core/source/chunk-list')
const { BACKSLASH } = require('../../json-keys/text')

const UNIT = 6 // bytes that a UTF-16 code unit may take, as in \u0061
const U = 0x75
const ESCAPES = new Uint8Array(256).map((_, code) => code) // what stands behind a backslash, and what it means
for (const [name, character] of Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' })) {
  ESCAPES[name.charCodeAt(0)] = character.charCodeAt(0)
}
const NOT_ENCODED = /[\uFFFD\p{Surrogate}]/u // decoders give U+FFFD for bytes that are not UTF-8
const encoder = new TextEncoder()

/**
 * A key that is looked for among others. An object may have one for each few
 * bytes, so they are compared as bytes, and no text is made of them.
 */
class SoughtKey {
  /** @param {(bytes: Uint8Array) => string} decode */
  constructor (key, decode) {
    this.key = key
    this.decode = decode
    this.characters = NOT_ENCODED.test(key) ? null : Array.from(key, (text) => ({ bytes: encoder.encode(text), text }))
    this.maxBytes = key.length * UNIT + 1 // with its last quote
    this.part = null // of the other key, which may be cut
    this.isSame = false // as the other key
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
    const { characters, decode, key, maxBytes } = this
    if (end - start > maxBytes) return false
    if (characters === null) return JSON.parse(`"${decode(bytes.subarray(start, end))}`) === key
    let at = start
    for (let index = 0; index < characters.length; index++) {
      const character = characters[index]
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
    const isHex = bytes[at + 1] === U
    const unit = isHex ? readHex(bytes, at + 2) : ESCAPES[bytes[at + 1]]
    if (unit !== wanted.charCodeAt(index)) return -1
    at += isHex ? 6 : 2
  }
  return at
}

/** Of four digits. */
function readHex (bytes, start) {
  let unit = 0
  for (let at = start; at < start + 4; at++) unit = unit << 4 | (bytes[at] & 15) + (bytes[at] > 0x39 ? 9 : 0)
  return unit
}

module.exports = SoughtKey
