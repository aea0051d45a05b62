'use strict'

// What an app does with the iterator of records, of lists of them, or of parts.

/** Its iterator, once the app has seen so many items. */
async function begin (items, app, count = 0) {
  const iterator = items[Symbol.asyncIterator]()
  for (let i = 0; i < count; i++) app.sees((await iterator.next()).value)
  return iterator
}

/**
 * @param {string} first how the acts name the items that the app sees
 * @param {number} count of these items
 * @returns {typeof import('./streams')}
 */
module.exports = (first, count) => ({
  'one, break': (items, app) => app.readsOne(items),
  'one, throw': { fails: true, run: (items, app) => app.readsOne(items, () => app.throw()) },
  [`${first}, return()`]: async (items, app) => (await begin(items, app, count)).return(),
  async [`${first}, return() twice at once`] (items, app) {
    const iterator = await begin(items, app, count)
    await Promise.all([iterator.return(), iterator.return()])
  },
  [`${first}, throw()`]: {
    fails: true,
    run: async (items, app) => (await begin(items, app, count)).throw(app.error)
  },
  [`${first}, stop`]: { abandons: true, run: (items, app) => begin(items, app, count) },
  [`${first}, never settle`]: {
    abandons: true,
    hangs: true,
    run: (items, app) => begin(items, app, count).then(() => new Promise(() => {}))
  },
  'return() first': async (items, app) => (await begin(items, app)).return(),
  async 'return() during next()' (items, app) {
    const iterator = await begin(items, app)
    await Promise.all([iterator.next(), iterator.return()])
  },
  nothing () {}
})
