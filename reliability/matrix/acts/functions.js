'use strict'

// What `verify`, `parse`, `schema` and `detect` of an app do with what they are given.

const mapValues = require('../../../tools/map-values')
const { answering, settlements } = require('./act')

const RESULTS = { verify: () => undefined, parse: (text) => JSON.parse(text), schema: (value) => ({ value }) }

/** What they return if all is well. */
const resultOf = (value, { label }) => RESULTS[label]?.(value) // nothing is known of a file

/** @type {Record<string, import('./act').Act>} */
const acts = {
  return: { reads: true, run: resultOf },
  ...settlements(resultOf)
}

for (const name of ['return', 'throw', 'never settle']) {
  acts[`answer, ${name}`] = { ...acts[name], answers: true, run: answering(acts[name].run) }
}

/** Each looks at what it is given. */
module.exports = mapValues(acts, ({ run, ...act }) => ({
  ...act,
  run (value, app) {
    app.reads(value)
    return run(value, app)
  }
}))
