'use strict'

const MARK = Buffer.from('\uFEFF')

/** Bytes as they came in. */
class Chunks {
  /**
   * @param {Buffer[]} list none of those that hold its first three bytes is empty
   * @param {number} length of all of them, in bytes
   */
  constructor (list, length) {
    this.list = list
    this.length = length
  }

  [Symbol.iterator] () {
    return this.list.values()
  }

  /** @returns {Chunks} the same but for a byte order mark */
  withoutMark () {
    const head = Buffer.concat(this.list.slice(0, MARK.length).map((chunk) => chunk.subarray(0, MARK.length)))
    if (!head.subarray(0, MARK.length).equals(MARK)) return this
    let left = MARK.length
    const list = this.list.map((chunk) => {
      const rest = chunk.subarray(left)
      left -= chunk.length - rest.length
      return rest
    })
    return new Chunks(list, this.length - MARK.length)
  }
}

module.exports = Chunks
