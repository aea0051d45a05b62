'use strict'

const PAGE_SIZE = 16_384 // items

/**
 * A stack for millions of items. One array would be copied whenever it outgrows
 * its memory, which blocks the event loop for as long as that takes; pages of a
 * fixed size are never copied.
 */
class PagedStack {
  constructor () {
    this.fullPages = []
    this.page = []
  }

  push (item) {
    if (this.page.length === PAGE_SIZE) {
      this.fullPages.push(this.page)
      this.page = []
    }
    this.page.push(item)
  }

  /** Only if the stack is not empty. */
  pop () {
    if (this.page.length === 0) this.page = this.fullPages.pop()
    return this.page.pop()
  }
}

module.exports = PagedStack
