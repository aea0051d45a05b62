'use strict'

// Modules that a start need not wait for. They are loaded with the first
// request that needs them, or a second after the first parser was made: from
// then on no request needs a file, which may be gone by then, or be one more
// than the process may open.

const { canLoadLater, setTimeout } = require('./compat')

const DELAY = 1000 // ms

// Intentionally module-level: what is still to be preloaded, by all parsers.
// Bounded by the number of modules.
const pending = new Set()
let timer = null

/** Marks an error of `require`: no fault of the client's, even if found in the middle of a body. */
function markLoadError (error) {
  return Object.assign(error, { expose: false, status: 500, statusCode: 500, type: 'module.not.loaded' })
}

/**
 * @template T
 * @param {() => T} load a call of `require`
 * @returns {() => T} loads with its first call; throws an error of status 500
 *   if that fails, and tries again with the next
 */
function lazy (load) {
  let loaded
  return () => {
    try {
      return (loaded ??= load())
    } catch (error) {
      throw markLoadError(error)
    }
  }
}

/**
 * Loads these when the start is over, one in each turn of the event loop.
 *
 * @param {...() => unknown} loads functions that are made once: one that is
 *   pending is not added again
 */
function preload (...loads) {
  for (const load of loads) pending.add(load)
  if (timer === null && canLoadLater) schedule(DELAY)
}

function schedule (delay) {
  timer = setTimeout(loadNext, delay)
  timer.unref?.() // a faked timer may lack it
}

function loadNext () {
  const [load] = pending
  pending.delete(load)
  try {
    load()
  } catch {} // the request that needs it will fail with the error
  if (pending.size > 0) schedule(0)
  else timer = null
}

module.exports = { lazy, markLoadError, preload }
