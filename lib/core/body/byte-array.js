'use strict'

/**
 * One array that grows: all chunks are copied into it, as a list of small ones
 * would take much more memory. Needs nothing of Node.
 */
class ByteArray {
  constructor () {
    this.size = 0 // bytes that were appended
    this.bytes = new Uint8Array()
  }

  append (chunk) {
    const { bytes, size } = this
    this.size += chunk.length
    if (this.size > bytes.length) {
      this.bytes = new Uint8Array(this.size * 2)
      this.bytes.set(bytes)
    }
    this.bytes.set(chunk, size)
  }

  /** @returns {Uint8Array} a view of all of them */
  view () {
    return this.bytes.subarray(0, this.size)
  }
}

module.exports = ByteArray
