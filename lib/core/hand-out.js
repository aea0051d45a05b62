'use strict'

// Promises that the app gets. It may await them later, or never; until then, a
// rejection would end the process. And those that it gives.

/**
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>} the same
 */
function handOut (promise) {
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
function handOutLoop (loop) {
  return {
    __proto__: ITERATOR,
    next: () => handOut(loop.next()),
    return: (value) => handOut(loop.return(value)),
    throw: (error) => handOut(loop.throw(error))
  }
}

module.exports = { handOut, handOutLoop, ITERATOR }
