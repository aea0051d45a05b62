'use strict'

// Promises that the app gets. It may await them later, or never; until then, a
// rejection would end the process. And those that it gives.

/**
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>} the same
 */
function markHandled (promise) {
  promise.then(undefined, ignore)
  return promise
}

function ignore () {}

/** The prototype of all async iterators, which makes them iterable, and disposable in newer versions of Node. */
const ITERATOR = Object.getPrototypeOf(Object.getPrototypeOf(async function * () {}).prototype)

/**
 * @template T
 * @param {{ next: () => Promise<T>, return: Function, throw: Function }} loop
 * @returns {AsyncIterableIterator<T>}
 */
function withHandledPromises (loop) {
  return {
    __proto__: ITERATOR,
    next: () => markHandled(loop.next()),
    return: (value) => markHandled(loop.return(value)),
    throw: (error) => markHandled(loop.throw(error))
  }
}

module.exports = { markHandled, withHandledPromises, ITERATOR }
