'use strict'

const Feed = require('../core/body/feed')
const { Buffer } = require('../core/platform')

/** Pushes the content of a Request into a form. */
class FormFeed extends Feed {
  /**
   * @param {import('./interruption')} interruption
   * @param {(error: unknown) => void} onSettled once, as that of ../core/body/feed.js
   */
  constructor (interruption, onSettled) {
    super(Feed.UNGUARDED, onSettled)
    this.interruption = interruption
    const fail = (error) => super.settled(error)
    const failed = new Promise((resolve) => { this.fail = resolve })
    failed.then(fail) // in the async context of the caller, and not in that of a signal
  }

  take (chunk) {
    super.take(chunk === null ? null : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    if (this.isDone || this.isReading) return
    const { interruption } = this
    interruption.listen() // the form waits for the app, but not where the content is refused
    if (interruption.refusal !== null) this.settled(interruption.refusal)
  }

  settled (error) {
    if (error === null) super.settled(null)
    else this.fail(error)
  }
}

/**
 * Leaves no file of a form that has failed, and as little of its body as `drainLimit` says.
 *
 * @param {import('./content')} content
 * @param {import('./interruption')} interruption
 * @param {(feed: FormFeed) => import('../uploads/form/form-reader')} createForm may throw
 * @returns {Promise<import('../uploads/form/form-reader')>} a form that is complete
 */
module.exports = async function fillForm (content, interruption, createForm) {
  try {
    return await new Promise((resolve, reject) => {
      const feed = new FormFeed(interruption, (error) => {
        if (error === null) resolve(form)
        else form.abort(error, () => reject(error))
      })
      const form = createForm(feed)
      interruption.call(feed.settled)
      feed.begin(form, content)
    })
  } finally {
    await content.close()
  }
}
