'use strict'

// What `verify`, `parse` and `schema` of an app do with what they are given.
// `app.result` is what they return if all is well.

const never = () => new Promise(() => {})

/** @type {Record<string, import('./streams').Act>} */
const acts = {
  return: { reads: true, run: (value, app) => app.result(value) },
  resolve: { reads: true, run: async (value, app) => app.result(value) },
  'resolve later': { reads: true, run: (value, app) => app.soon().then(() => app.result(value)) },
  'return, look at it later': {
    reads: true,
    run (value, app) {
      app.reads(app.exchange.over.then(() => app.soon()).then(() => value))
      return app.result(value)
    }
  },
  throw: { fails: true, hasOneTime: true, run (value, app) { throw app.error } },
  'throw undefined': {
    fails: true,
    hasOneTime: true,
    run () { throw undefined } // eslint-disable-line no-throw-literal
  },
  reject: { fails: true, async run (value, app) { throw app.error } },
  'reject with undefined': {
    fails: true,
    run: () => Promise.reject() // eslint-disable-line prefer-promise-reject-errors
  },
  'reject later': { fails: true, run: (value, app) => app.soon().then(() => { throw app.error }) },
  'never settle': { hangs: true, run: never },
  'settle twice': {
    reads: true,
    hasOneTime: true,
    run: (value, app) => new Promise((resolve, reject) => {
      resolve(app.result(value))
      resolve()
      reject(app.error)
    })
  },
  thenable: { reads: true, hasOneTime: true, run: (value, app) => ({ then (resolve) { resolve(app.result(value)) } }) },
  'thenable that settles twice': {
    reads: true,
    hasOneTime: true,
    run: (value, app) => ({
      then (resolve, reject) {
        resolve(app.result(value))
        resolve(app.result(value))
        reject(app.error)
        throw app.error
      }
    })
  },
  'thenable that rejects twice': {
    fails: true,
    hasOneTime: true,
    run: (value, app) => ({
      then (resolve, reject) {
        reject(app.error)
        reject(app.error)
        resolve(app.result(value))
      }
    })
  },
  'then that throws': { fails: true, hasOneTime: true, run: (value, app) => ({ then () { throw app.error } }) }
}

for (const name of ['return', 'reject', 'never settle']) {
  const { run, ...act } = acts[name]
  acts[`answer, ${name}`] = {
    ...act,
    run (value, app) {
      app.answer()
      return run(value, app)
    }
  }
}

/** Each looks at what it is given. */
for (const act of Object.values(acts)) {
  const { run } = act
  act.run = (value, app) => {
    app.reads(value)
    return run(value, app)
  }
}

module.exports = acts
