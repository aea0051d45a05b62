'use strict'

const Source = require('./source')

/** A source around another one: gives what a subclass makes, in `take`, of the chunks of that one, and of its end. */
class WrappingSource extends Source {
  /** @param {Source} source is left readable when this is over: the code that opened the body drains it */
  constructor (source) {
    super()
    this.source = source
    this.take = this.take.bind(this)
    this.refuse = this.refuse.bind(this)
  }

  ask () {
    this.source.read(this.take, this.refuse)
  }

  /** @param {unknown} error of the other source, behind its chunks */
  refuse (error) {
    this.end(error)
  }

  release () {
    this.source.unread()
  }
}

module.exports = WrappingSource
