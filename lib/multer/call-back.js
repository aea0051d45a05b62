'use strict'

// Functions of the app that report by a callback. One that is asynchronous, and
// rejects, has failed as well.

/**
 * @param {(done: (error?: unknown, value?: unknown) => void) => unknown} call
 * @returns {Promise<unknown>} the value of the first report; rejects with its error, of any type
 */
module.exports = function callBack (call) {
  return new Promise((resolve, reject) => {
    const result = call((error, value) => error ? reject(error) : resolve(value))
    if (typeof result?.then === 'function') result.then(undefined, reject)
  })
}
