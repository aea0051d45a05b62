'use strict'

// What several kinds of acts share: reading everything, settling oddly, and what an app does with a file that is an
// async iterable with `peek`, be it a stream of Node.js (./streams.js) or a file of /web (./web-streams.js).

const transferAll = require('../../../../test/support/transfer')
const mapValues = require('../../../../tools/map-values')

/**
 * Acts that read everything.
 *
 * @param {Record<string, (thing: any, app: import('../app')) => unknown>} readers by name: what they read
 * @returns {Record<string, import('./streams').Act>}
 */
const reading = (readers) => mapValues(readers, (read) => ({
  reads: true,
  run: (thing, app) => app.reads(read(thing, app))
}))

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
const settlements = (work) => {
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

async function collect (iterable) {
  const chunks = []
  for await (const chunk of iterable) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** @type {Record<string, import('./streams').Act | import('./streams').Act['run']>} */
const acts = {
  ...reading({
    'for await': collect,
    'for await, transfer': transferAll,
    async 'peek, for await' (file, app) {
      app.sees(await file.peek(100))
      return collect(file)
    }
  }),
  'for await, break': (file, app) => app.readsOne(file),
  'for await, throw': { fails: true, run: (file, app) => app.readsOne(file, () => app.throw()) },
  nothing () {},
  'return, read soon' (file, app) { app.reads(app.soon().then(() => collect(file))) },
  'return, read after the form' (file, app) { app.reads(app.exchange.over.then(() => collect(file))) },
  ...settlements((file, app) => app.reads(collect(file))),
  'reject while reading': {
    fails: true,
    async run (file, app) {
      app.reads(collect(file))
      throw app.error
    }
  },
  'read, never settle': { hangs: true, run: (file, app) => app.reads(collect(file)).then(never) },
  'answer, for await': {
    reads: true,
    answers: true,
    run (file, app) {
      app.answer()
      return app.reads(collect(file))
    }
  },
  'answer, return': { answers: true, run (file, app) { app.answer() } },
  async 'peek, return' (file, app) { app.sees(await file.peek(100)) }
}

module.exports = { acts, collect, never, reading, settlements }
