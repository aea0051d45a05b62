'use strict'

// What `verify`, `parse` and `schema` of an app do with what they are given.
// `app.result` is what they return if all is well.

const settlements = require('./settlements')

/** @type {Record<string, import('./streams').Act>} */
const acts = {
  return: { reads: true, run: (value, app) => app.result(value) },
  ...settlements((value, app) => app.result(value)),
  resolve: { reads: true, run: async (value, app) => app.result(value) },
  'resolve later': { reads: true, run: (value, app) => app.soon().then(() => app.result(value)) },
  'return, look at it later': {
    reads: true,
    run (value, app) {
      app.reads(app.exchange.over.then(() => app.soon()).then(() => value))
      return app.result(value)
    }
  },
  'throw undefined': {
    fails: true,
    hasOneTime: true,
    run () { throw undefined } // eslint-disable-line no-throw-literal
  },
  'reject with undefined': {
    fails: true,
    run: () => Promise.reject() // eslint-disable-line prefer-promise-reject-errors
  },
  'reject later': { fails: true, run: (value, app) => app.soon().then(() => { throw app.error }) },
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
  }
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
