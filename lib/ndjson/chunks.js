'use strict'

const errors = require('../errors')

/**
 * The chunks of a request, each read when it is asked for, and null: `next` is
 * told how many bytes of those before are still held. When this ends early, it
 * waits until the rest of the request is drained.
 *
 * @param {(createSink: (feed: Feed) => Sink, next: Function) => void} begin reads the request
 * @param {(error: unknown) => void} interrupt is told when it cannot be read to its end
 *
 * @typedef {import('../body/feed').Control} Feed
 * @typedef {import('../body/feed').Sink} Sink
 */
module.exports = async function * readChunks (begin, interrupt) {
  const queue = new Queue()
  let reason // null once all is read; undefined if the loop is left before
  begin((feed) => {
    queue.feed = feed
    return queue
  }, (...outcome) => {
    queue.outcome = outcome
    queue.wake()
    if (outcome.length > 0) interrupt(outcome[0])
  })
  try {
    while (true) {
      while (queue.isWaiting) {
        queue.feed?.ready()
        await queue.changed()
      }
      if (queue.chunks.length === 0) break
      queue.heldBytes = yield queue.chunks.shift()
    }
    if (!queue.isEnded) throw queue.outcome[0]
    yield null
    reason = null
  } catch (error) {
    reason = error
    throw error
  } finally {
    queue.feed?.settled(reason === undefined ? abandoned() : reason)
    while (queue.feed !== null && queue.outcome === null) await queue.changed()
  }
}

/** The sink that holds what the loop has not asked for. */
class Queue {
  constructor () {
    this.chunks = []
    this.heldBytes = 0
    this.isBlocked = true // after each chunk
    this.isEnded = false
    this.feed = null
    this.outcome = null // arguments of `next`, once it is called
    this.wake = () => {}
  }

  get isWaiting () {
    return this.chunks.length === 0 && !this.isEnded && this.outcome === null
  }

  changed () {
    return new Promise((resolve) => { this.wake = resolve })
  }

  write (chunk) {
    this.heldBytes += chunk.length
    this.chunks.push(chunk)
    this.wake()
  }

  end () {
    this.isEnded = true
    this.wake()
  }

  abort (reason, done) {
    done()
  }
}

const abandoned = () => errors.create(400, 'the records are not read to the end', { type: 'records.abandoned' })
