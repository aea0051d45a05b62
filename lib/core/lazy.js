'use strict'

// Modules that a start need not wait for. They are loaded with the first
// request that needs them, or a second after the first parser was made: from
// then on no request needs a file, which may be gone by then, or be one more
// than the process may open.

const { canLoadLater, setTimeout } = require('./compat')

const DELAY = 1000 // ms
const PAUSE = 10 // ms between two modules

/** Intentionally module-level: what is or will be preloaded, for all parsers. Bounded by the number of modules. */
const scheduled = new Set()

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
 * Loads a module when the start is over.
 *
 * @param {() => unknown} load made once, so that many parsers schedule it once
 */
function preload (load) {
  if (!canLoadLater || scheduled.has(load)) return
  const timer = setTimeout(() => {
    try {
      load()
    } catch {} // the request that needs it will fail with the error
  }, DELAY + scheduled.size * PAUSE)
  timer.unref?.() // a faked timer may lack it
  scheduled.add(load)
}

module.exports = { lazy, markLoadError, preload }
