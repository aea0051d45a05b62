'use strict'

const SMALL = 512 // bytes
const MOST = 64 // small pieces

/** Bytes that come in pieces. Small ones are joined, as each takes some 200 bytes of its own. */
class Pieces {
  constructor () {
    this.length = 0
    this.list = []
    this.small = 0 // at the end of the list
  }

  write (bytes) {
    this.length += bytes.length
    this.list.push(bytes)
    this.small = bytes.length < SMALL ? this.small + 1 : 0
    if (this.small === MOST) {
      this.list.push(Buffer.concat(this.list.splice(-MOST)))
      this.small = 0
    }
    return true
  }

  /** A copy, so that the chunks of which these are parts can be freed. */
  join () {
    return Buffer.concat(this.list, this.length)
  }
}

module.exports = Pieces
