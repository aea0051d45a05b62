'use strict'

const encoder = new TextEncoder()
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const MOST = 8192 // characters that one call may be given

/** What forms need of Node's Buffer, where there is none: in browsers, and in some Workers (../web). */
class Bytes extends Uint8Array {
  static alloc (length) {
    return new Bytes(length)
  }

  static allocUnsafe (length) {
    return new Bytes(length)
  }

  /** @param {string | ArrayBuffer | Uint8Array} source bytes are copied, those of an ArrayBuffer are not */
  static from (source, ...more) {
    if (source instanceof ArrayBuffer) return new Bytes(source, ...more)
    if (typeof source !== 'string') return new Bytes(source)
    if (more.length === 0 || more[0] !== 'latin1') return new Bytes(encoder.encode(source))
    return super.from(source, (character) => character.charCodeAt(0))
  }

  static concat (list, length) {
    const bytes = new Bytes(length)
    let at = 0
    for (const piece of list) {
      bytes.set(piece, at)
      at += piece.length
    }
    return bytes
  }

  static byteLength (text) {
    return encoder.encode(text).length
  }

  /** @returns {number} 0 if both ranges have the same bytes */
  compare (other, otherStart, otherEnd, start, end) {
    if (otherEnd - otherStart !== end - start) return 1
    for (let at = start; at < end; at++) if (this[at] !== other[otherStart + at - start]) return 1
    return 0
  }

  indexOf (what, from = 0) {
    if (typeof what === 'number') return super.indexOf(what, from)
    for (let at = super.indexOf(what[0], from); at !== -1; at = super.indexOf(what[0], at + 1)) {
      if (this.compare(what, 0, what.length, at, Math.min(at + what.length, this.length)) === 0) return at
    }
    return -1
  }

  latin1Slice (start = 0, end = this.length) {
    let text = ''
    for (let at = start; at < end; at += MOST) {
      text += String.fromCharCode(...this.subarray(at, Math.min(at + MOST, end)))
    }
    return text
  }

  utf8Slice (start = 0, end = this.length) {
    return utf8.decode(this.subarray(start, end))
  }
}

module.exports = Bytes
