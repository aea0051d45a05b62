'use strict'

// An act, and what several kinds of acts share.

const mapValues = require('../../../tools/map-values')

/**
 * @typedef {object} Act
 * @property {(thing: any, app: import('../app')) => unknown} run with what is given; returns what the function of
 *   the app returns, or what a loop over parts waits for
 * @property {boolean} [reads] everything, if the client sends it
 * @property {boolean} [answers] the request, before the rest of it is read
 * @property {boolean} [abandons] an iterator without its `return()`, so that its listeners stay as long as the request
 * @property {boolean} [fails] on purpose
 * @property {boolean} [hangs] what it returns never settles
 * @property {boolean} [hasOneTime] at once: at another, a promise hides what is odd about the value in it
 * @property {1 | 2} [http] the only version that it is for
 * @property {boolean} [throws] what is not to be caught
 */

/** Acts that read everything, by name: what they read. @returns {Record<string, Act>} */
const reading = (readers) => mapValues(readers, (read) => ({
  reads: true,
  run: (thing, app) => app.reads(read(thing, app))
}))

const never = () => new Promise(() => {})

/** The app answers before it does this. */
const answering = (run) => (thing, app) => {
  app.answer()
  return run(thing, app)
}

const fails = { fails: true, run: (given, app) => app.throw() }
const hangs = { hangs: true, run: never }

/** How a function of the app's ends in unusual ways, where its `work` gives a value or a promise if all is well. */
const settlements = (work) => ({
  throw: fails,
  'never settle': hangs,
  'then that throws': { fails: true, hasOneTime: true, run: (given, app) => ({ then: () => app.throw() }) },
  'thenable that settles twice': {
    reads: true,
    hasOneTime: true,
    run (given, app) {
      const result = work(given, app)
      return { then: (...ends) => settleTwice(result, app.error, ...ends) }
    }
  }
})

/** At once if the result is a value. */
function settleTwice (result, error, resolve, reject) {
  const end = (value) => {
    resolve(value)
    resolve(value)
    reject(error)
  }
  if (typeof result?.then === 'function') result.then(end, reject)
  else end(result)
}

async function collect (iterable) {
  const items = []
  for await (const item of iterable) items.push(item)
  return items
}

module.exports = { answering, collect, fails, hangs, never, reading, settlements }
