'use strict'

const { nextTick } = require('../platform')

/**
 * The one place in which promises of the app are awaited. Such a promise may never settle, and waiting for it would
 * keep the request, its files and its part of the budget for ever. So each wait has something that ends it.
 *
 * - A `then` of the app's is called once, and settles once, whatever it does and returns: see `subscribe`.
 * - Each outcome is told once, outside of the call stack of a promise: what `next` throws is not to be a rejection.
 * - What ends the wait is told at once. If it had come before, it is told in another turn, as a promise that is settled
 *   comes first: what the app has made of the bytes before a fault is not lost.
 *
 * @param {PromiseLike<unknown>} promise
 * @param {Ending} ending
 * @param {(value: unknown) => void} onValue
 * @param {(error: unknown) => void} onError
 * @param {(fault: unknown) => void} [onFault]
 *
 * @typedef {object} Ending what may end a wait
 * @property {(end: (fault: unknown) => void) => void} follow does not call this at once
 * @property {(end: (fault: unknown) => void) => void} [forget] the wait is over; to call its end does nothing then
 */
function wait (promise, ending, onValue, onError, onFault = onError) {
  let isOver = false
  const later = (callback) => (result) => nextTick(end, callback, result)
  const onEnd = (fault) => end(onFault, fault)
  ending.follow(onEnd)
  subscribe(promise, later(onValue), later(onError))

  function end (callback, result) {
    if (isOver) return
    isOver = true
    ending.forget?.(onEnd)
    callback(result)
  }
}

/**
 * The same for code of ours that awaits, which needs no other call stack: a tick for each record takes long.
 *
 * @param {PromiseLike<unknown>} promise
 * @param {Ending} ending
 * @returns {Promise<unknown>} rejected with the fault as well
 */
function waitAsync (promise, ending) {
  return new Promise((resolve, reject) => {
    ending.follow(reject)
    const settled = subscribe(promise, resolve, reject)
    if (ending.forget !== undefined) settled.then(() => ending.forget(reject))
  })
}

const { then } = Promise.prototype

/** With the `then` of promises, as those of async functions have it; of anything else, by a promise around it. */
function subscribe (promise, onValue, onError) {
  try {
    if (promise.then === then && promise.constructor === Promise) return promise.then(onValue, onError)
  } catch {} // a proxy of a promise: that `then` takes no other object
  return new Promise((resolve) => resolve(promise)).then(onValue, onError)
}

module.exports = { wait, waitAsync }
