'use strict'

// What a start need not wait for: loaded with the first request that needs it,
// or once the process has been up for a second. From then on no request needs
// a file, which may have gone by then, or be one more than may be open.

const { setTimeout } = require('./loop')

const DELAY = 1000 // milliseconds; a start has more urgent things to do
const IN_JEST = process.env.JEST_WORKER_ID !== undefined // which fails the tests that something is loaded after

const waiting = new Set() // functions that load something
let timer = null

/** Marks what a failed call of `require` throws: no fault of the client's, even if found in the middle of its body. */
function markFailure (error) {
  return Object.assign(error, { expose: false, status: 500, statusCode: 500, type: 'module.not.loaded' })
}

/**
 * @template T
 * @param {() => T} load a call of `require`
 * @returns {() => T} loads at its first call; throws an error of status 500 if
 *   that fails, and tries again at the next
 */
function later (load) {
  let loaded
  return () => {
    try {
      return (loaded ??= load())
    } catch (error) {
      throw markFailure(error)
    }
  }
}

/**
 * Has these called when the start is over, one in each turn of the event loop.
 *
 * @param {...() => unknown} loads made once: what waits already is not added again
 */
function warm (...loads) {
  for (const load of loads) waiting.add(load)
  if (timer === null && !IN_JEST) wait(DELAY)
}

function wait (delay) {
  timer = setTimeout(loadNext, delay)
  timer.unref()
}

function loadNext () {
  const [load] = waiting
  waiting.delete(load)
  try {
    load()
  } catch {} // whoever needs it will be told
  if (waiting.size > 0) wait(0)
  else timer = null
}

module.exports = { later, markFailure, warm }
