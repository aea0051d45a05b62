'use strict'

// What `verify`, `parse`, `schema` and `detect` of an app do with what they are given.

const { settlements } = require('./common')

const RESULTS = { verify: () => undefined, parse: (text) => JSON.parse(text), schema: (value) => ({ value }) }

/** What they return if all is well. */
const resultOf = (value, { label }) => RESULTS[label]?.(value) // nothing is known of a file

/** @type {Record<string, import('./streams').Act>} */
const acts = {
  return: { reads: true, run: resultOf },
  ...settlements(resultOf),
  resolve: { reads: true, run: async (value, app) => resultOf(value, app) },
  'resolve later': { reads: true, run: (value, app) => app.soon().then(() => resultOf(value, app)) },
  'return, look at it later': {
    reads: true,
    run (value, app) {
      app.reads(app.exchange.over.then(() => app.soon()).then(() => value))
      return resultOf(value, app)
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
  'reject later': { fails: true, run: (value, app) => app.soon().then(() => app.throw()) },
  'thenable that rejects twice': {
    fails: true,
    hasOneTime: true,
    run: (value, app) => ({
      then (resolve, reject) {
        reject(app.error)
        reject(app.error)
        resolve(resultOf(value, app))
      }
    })
  }
}

for (const name of ['return', 'reject', 'never settle']) {
  const { run, ...act } = acts[name]
  acts[`answer, ${name}`] = {
    ...act,
    answers: true,
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
