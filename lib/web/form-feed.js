'use strict'

const { Buffer } = require('../core/platform')

/** Gives the content of a Request to a form as it comes, and waits while that takes no more. */
class FormFeed {
  /**
   * @param {import('../core/source/source')} content
   * @param {import('./interruption')} interruption
   * @param {(feed: FormFeed) => import('../uploads/form/form-reader')} createReader
   */
  constructor (content, interruption, createReader) {
    this.content = content
    this.interruption = interruption
    this.outcome = null // of the form: an object with its error, which may be null
    this.wake = null // of what `fill` waits for, from its first step on
    this.reader = createReader(this)
  }

  /** The form takes bytes again. */
  ready () {
    this.wake()
  }

  /** The form is complete, or has failed; at any time. */
  settled (error) {
    this.outcome = { error }
    this.wake()
  }

  /** Leaves no file of a form that has failed, and as little of its body as `drainLimit` says. */
  async run () {
    const { content, reader } = this
    try {
      await this.fill()
      if (this.outcome.error !== null) throw this.outcome.error
    } catch (error) {
      await new Promise((resolve) => reader.abort(error, resolve))
      throw error
    } finally {
      await content.close()
    }
  }

  async fill () {
    const { interruption, reader } = this
    let isEnded = false
    while (this.outcome === null) {
      if (isEnded || reader.isBlocked) {
        await interruption.wait(new Promise((resolve) => { this.wake = resolve }))
        continue
      }
      const chunk = await this.pull()
      isEnded = chunk === null
      if (this.outcome !== null) return // meanwhile
      if (isEnded) reader.end()
      else reader.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    }
  }

  /** Does not wait for a client whose form has failed. */
  pull () {
    return new Promise((resolve, reject) => {
      const wake = () => { if (this.outcome !== null) resolve(null) }
      this.wake = wake
      this.content.read(resolve, reject)
    })
  }
}

module.exports = FormFeed
