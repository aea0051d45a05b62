'use strict'

// What `verify`, `parse`, `schema` and `detect` of an app do with what they are given.

const { answering, settlements } = require('./act')

const RESULTS = { verify: () => undefined, parse: (text) => JSON.parse(text), schema: (value) => ({ value }) }

/** What they return if all is well. */
const resultOf = (value, { label }) => RESULTS[label]?.(value) // nothing is known of a file

/** @type {Record<string, import('./act').Act>} */
const acts = {
  return: { reads: true, run: resultOf },
  ...settlements(resultOf),
  'return, look at it later': {
    reads: true,
    run (value, app) {
      app.reads(app.exchange.over.then(() => app.soon()).then(() => value))
      return resultOf(value, app)
    }
  },
  'throw undefined': {
    fails: true,
    run () { throw undefined } // eslint-disable-line no-throw-literal
  },
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

for (const name of ['return', 'throw', 'never settle']) {
  acts[`answer, ${name}`] = { ...acts[name], answers: true, run: answering(acts[name].run) }
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
