'use strict'

const GuardedBytes = require('../core/body/guarded-bytes')

/**
 * What a loop reads of.
 *
 * @typedef {object} Body
 * @property {() => Promise<import('../core/source/source')>} open may be rejected
 * @property {(chunk: Uint8Array) => void} [took] the loop has a chunk; throws if the guards refuse it
 * @property {(bufferedBytes: number) => void} [freed] of the chunks before, the loop still holds so many
 * @property {(reason: unknown) => Promise<void>} stop null once all is read; undefined if the loop is left before
 */

/** A Body whose bytes guards count: that of a request, or of a Request of Fetch. */
class GuardedBody extends GuardedBytes {
  isEnded = false // the chunks that came before an error are not counted any more

  took (chunk) {
    if (this.isEnded) return
    this.hold(chunk.length)
    this.beginWait()
  }

  freed (bufferedBytes) {
    if (this.isEnded) return
    this.hold(bufferedBytes - this.reserved)
    this.endWait()
  }

  hold (change) {
    const error = this.reserve(change)
    if (error !== null) throw error
  }
}

/**
 * The chunks of a body, each read when it is asked for, and null: `next` is told
 * how many bytes of those before are still held. When this ends early, it waits
 * until the rest is drained.
 *
 * @param {(listener: import('./records').Listener) => Body} begin
 * @param {import('./records').Listener} listener
 */
async function * readChunks (begin, listener) {
  const body = begin(listener)
  let reason
  try {
    const source = await body.open()
    for (let chunk; (chunk = await source.pull()) !== null;) {
      body.took?.(chunk)
      const bufferedBytes = yield chunk
      body.freed?.(bufferedBytes)
    }
    yield null // the last record may lack its end
    reason = null
  } catch (error) {
    reason = error
    throw error
  } finally {
    await body.stop(reason)
  }
}

module.exports = { GuardedBody, readChunks }
