'use strict'

const Feed = require('../core/body/feed')
const { Buffer } = require('../core/platform')

/** Pushes the content of a Request into a form. */
class FormFeed extends Feed {
  /**
   * @param {import('./interruption')} interruption
   * @param {(error: unknown) => void} onOver once, as that of ../core/body/feed.js
   */
  constructor (interruption, onOver) {
    super(interruption, onOver)
    // In the async context of the caller, and not in that of a signal.
    new Promise((resolve) => { this.fail = resolve }).then((error) => this.end(error))
  }

  take (chunk) {
    super.take(chunk === null ? null : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  }
}

/**
 * Leaves no file of a form that has failed, and as little of its body as `drainLimit` says.
 *
 * @param {import('./content').Content} content
 * @param {import('./interruption')} interruption
 * @param {(feed: FormFeed) => import('../uploads/form/form-reader')} createForm may throw
 * @returns {Promise<import('../uploads/form/form-reader')>} a form that is complete
 */
module.exports = async function fillForm (content, interruption, createForm) {
  try {
    return await new Promise((resolve, reject) => {
      const feed = new FormFeed(interruption, (error) => {
        if (error === null) resolve(form)
        else form.stop(error, () => reject(error))
      })
      const form = createForm(feed)
      interruption.onFail(feed.fail)
      feed.begin(form, content)
    })
  } finally {
    await content.drain()
  }
}
