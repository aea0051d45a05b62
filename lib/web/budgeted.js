'use strict'

const GuardedBytes = require('../core/body/guarded-bytes')
const Source = require('../core/source/source')

/** The content of a Request, as far as the budget has room for it: while a reading waits for room, nothing is asked. */
class BudgetedContent extends Source {
  /**
   * @param {import('./content').Content} content
   * @param {import('./interruption')} interruption
   */
  constructor (content, interruption) {
    super()
    this.content = content
    this.interruption = interruption
    this.bytes = new GuardedBytes(interruption)
    this.take = this.take.bind(this)
    this.finish = this.end.bind(this)
    this.proceed = this.proceed.bind(this)
  }

  get refusal () {
    return this.content.refusal
  }

  ask () {
    const { bytes, interruption: { bufferedBytes } } = this
    if (bufferedBytes !== null) bytes.reserve(bufferedBytes() - bytes.reserved) // less than it was given
    this.interruption.onceFree(this.proceed)
  }

  /** @param {Error | null} error why no more is taken */
  proceed (error) {
    if (error !== null) this.content.refusal ??= error // which reads off the rest
    this.content.read(this.take, this.finish)
  }

  take (chunk) {
    if (chunk === null) return this.end()
    const error = this.bytes.reserve(chunk.length)
    if (error === null) this.give(chunk)
    else this.proceed(error)
  }

  /** What was kept is not needed any more, unless the content has ended. */
  stop (fault) {
    if (!this.isOver) this.interruption.releaseContent()
    super.stop(fault)
  }

  close () {
    this.stop()
    return this.content.close()
  }
}

/**
 * @template Content
 * @param {Content} content
 * @param {import('./interruption')} interruption
 * @returns {Content | BudgetedContent} the same, if there is no budget
 */
module.exports = (content, interruption) =>
  interruption.reservation === null ? content : new BudgetedContent(content, interruption)
