'use strict'

const GROWTH = 4 // so that nobody reserves more than four times what was sent

/** Bytes that come in pieces. The first piece is not copied until another one comes. */
class Bytes {
  /** @param {number} most bytes that are expected to come at all */
  constructor (most = Infinity) {
    this.most = most
    this.memory = null
    this.from = 0
    this.to = 0
    this.isShared = true // with others, who own the bytes around these
  }

  get length () {
    return this.to - this.from
  }

  write (chunk, start, end) {
    if (this.memory === null) {
      this.memory = chunk
      this.from = start
      this.to = end
      return true
    }
    const length = this.length + end - start
    if (this.isShared || length > this.memory.length) this.move(Math.max(length, Math.min(this.length * GROWTH, this.most)))
    this.to += chunk.copy(this.memory, this.to, start, end)
    return true
  }

  move (size) {
    const memory = Buffer.allocUnsafe(size)
    this.to = this.memory.copy(memory, 0, this.from, this.to)
    this.from = 0
    this.memory = memory
    this.isShared = false
  }

  view () {
    return this.memory.subarray(this.from, this.to)
  }

  /** Without the memory around them, if that is as large again. */
  trim () {
    if (this.memory === null) return Buffer.alloc(0)
    return this.length * 2 > this.memory.buffer.byteLength ? this.view() : Buffer.from(this.view())
  }
}

module.exports = Bytes
