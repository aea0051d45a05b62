'use strict'

/** What is read off: a form control without a file, or a file that is skipped; see Part in ./form-reader.js. */
class EmptyPart {
  length = 0
  isBounded = false
  isOver = false
  outcome = null

  /** @param {(() => object | Promise<object>) | null} open opens the file of a control that has bytes after all */
  constructor (open) {
    this.open = open
  }

  write () {
    return null
  }

  end () {
    return null
  }

  detach () {}
}

/** Of files that are skipped. */
EmptyPart.SKIPPED = new EmptyPart(null)

module.exports = EmptyPart
