'use strict'

// How a function of the app's settles what it returns, in unusual ways. `work` is what it does if all is well, and
// gives a value or a promise.

const never = () => new Promise(() => {})

/** @param {unknown} result @param {(value?: unknown) => void} settle is called at once if the result is there */
function follow (result, settle, reject) {
  if (typeof result?.then === 'function') result.then(settle, reject)
  else settle(result)
}

/** @param {(given: any, app: import('../app')) => unknown} work @returns {Record<string, import('./streams').Act>} */
module.exports = (work) => ({
  throw: { fails: true, hasOneTime: true, run (given, app) { throw app.error } },
  reject: { fails: true, async run (given, app) { throw app.error } },
  'never settle': { hangs: true, run: never },
  'settle twice': {
    reads: true,
    hasOneTime: true,
    run: (given, app) => new Promise((resolve, reject) => follow(work(given, app), (value) => {
      resolve(value)
      resolve()
      reject(app.error)
    }, reject))
  },
  thenable: {
    reads: true,
    hasOneTime: true,
    run (given, app) {
      const result = work(given, app)
      return { then: (resolve, reject) => { follow(result, resolve, reject) } }
    }
  },
  'thenable that settles twice': {
    reads: true,
    hasOneTime: true,
    run (given, app) {
      const result = work(given, app)
      return {
        then (resolve, reject) {
          follow(result, (value) => {
            resolve(value)
            resolve(value)
            reject(app.error)
          }, reject)
        }
      }
    }
  },
  'then that throws': { fails: true, hasOneTime: true, run: (given, app) => ({ then () { throw app.error } }) }
})
