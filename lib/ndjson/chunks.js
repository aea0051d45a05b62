'use strict'

const errors = require('../errors')

/**
 * The chunks of a request, each read when it is asked for, and null: `next` is
 * told how many bytes of those before are still held. When this ends early, it
 * waits until the rest of the request is drained.
 *
 * @param {(createSink: (feed: import('../body/feed').Feed) => import('../body/feed').Sink, next: Function) => void} begin
 *   reads the request
 * @param {(error: unknown) => void} interrupt is told when it cannot be read to its end
 */
module.exports = async function * readChunks (begin, interrupt) {
  const queue = []
  const state = { feed: null, isEnded: false, outcome: null, wake: () => {} }
  const sink = {
    isBlocked: true, // after each chunk
    heldBytes: 0,
    write (chunk) {
      sink.heldBytes += chunk.length
      queue.push(chunk)
      state.wake()
    },
    end: () => change({ isEnded: true }),
    abort: (reason, done) => done()
  }
  const change = (changes) => Object.assign(state, changes).wake()
  const changed = () => new Promise((resolve) => { state.wake = resolve })
  let reason // null once all is read; undefined if the loop is left before
  begin((feed) => {
    state.feed = feed
    return sink
  }, (...outcome) => {
    change({ outcome })
    if (outcome.length > 0) interrupt(outcome[0])
  })
  try {
    while (true) {
      while (queue.length === 0 && !state.isEnded && state.outcome === null) {
        state.feed?.ready()
        await changed()
      }
      if (queue.length === 0) break
      sink.heldBytes = yield queue.shift()
    }
    if (!state.isEnded) throw state.outcome[0]
    yield null
    reason = null
  } catch (error) {
    reason = error
    throw error
  } finally {
    state.feed?.settled(reason === undefined ? abandoned() : reason)
    while (state.feed !== null && state.outcome === null) await changed()
  }
}

const abandoned = () => errors.create(400, 'the records are not read to the end', { type: 'records.abandoned' })
