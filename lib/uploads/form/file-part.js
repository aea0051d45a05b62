'use strict'

/** A file, whose bytes are stored; see Part in ./form-reader.js. */
class FilePart {
  isOver = false
  open = null

  /**
   * @param {object} stored see ../storage/open-file.js
   * @param {object} rule
   * @param {number} rule.maxSize bytes
   * @param {(size: number) => never} rule.refuse throws, if it is larger
   * @param {(size: number, outcome: object) => void} rule.complete gets the file once it is stored
   */
  constructor (stored, rule) {
    this.stored = stored
    this.outcome = stored.outcome ?? null
    this.rule = rule
    this.isBounded = rule.maxSize !== Infinity
    this.size = 0 // bytes so far
  }

  get length () {
    return this.stored.length
  }

  write (chunk, start, end, keeps) {
    this.size += end - start
    if (this.size > this.rule.maxSize) this.rule.refuse(this.size)
    return keeps ? this.stored.write(chunk, start, end) : null
  }

  end () {
    const { rule, size, stored } = this
    const outcome = stored.end()
    if (typeof outcome.then === 'function') return outcome.then((outcome) => rule.complete(size, outcome))
    rule.complete(size, outcome)
    return null
  }

  detach () {}
}

module.exports = FilePart
