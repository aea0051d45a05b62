'use strict'

// How a function of the app's settles what it returns, in unusual ways. `work` is what it does if all is well, and
// gives a value or a promise.

const never = () => new Promise(() => {})

/** The `then` that settles as this value or promise does: at once if it is a value. */
function thenOf (result) {
  return (resolve, reject) => {
    if (typeof result?.then === 'function') result.then(resolve, reject)
    else resolve(result)
  }
}

const twice = (then, error) => (resolve, reject) => then((value) => {
  resolve(value)
  resolve(value)
  reject(error)
}, reject)

/** @param {(given: any, app: import('../app')) => unknown} work @returns {typeof import('./streams')} */
module.exports = (work) => {
  const once = (given, app) => thenOf(work(given, app))
  const oftener = (given, app) => twice(once(given, app), app.error)
  const settled = { reads: true, hasOneTime: true }
  return {
    throw: { fails: true, hasOneTime: true, run: (given, app) => app.throw() },
    reject: { fails: true, run: async (given, app) => app.throw() },
    'never settle': { hangs: true, run: never },
    'settle twice': { ...settled, run: (...args) => new Promise(oftener(...args)) },
    thenable: { ...settled, run: (...args) => ({ then: once(...args) }) },
    'thenable that settles twice': { ...settled, run: (...args) => ({ then: oftener(...args) }) },
    'then that throws': { fails: true, hasOneTime: true, run: (given, app) => ({ then: () => app.throw() }) }
  }
}
