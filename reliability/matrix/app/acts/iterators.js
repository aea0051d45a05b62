'use strict'

// What an app does with the iterator of records, of lists of them, or of parts.

/** Its iterator, once the app has seen so many items. */
async function begin (items, app, count) {
  const iterator = items[Symbol.asyncIterator]()
  for (let i = 0; i < count; i++) app.sees((await iterator.next()).value)
  return iterator
}

/**
 * @param {string} first how the acts name the items that the app sees
 * @param {number} count of these items
 * @returns {Record<string, import('./streams').Act>}
 */
module.exports = (first, count) => ({
  'one, break': { run: (items, app) => app.readsOne(items) },
  'one, throw': { fails: true, run: (items, app) => app.readsOne(items, () => app.throw()) },
  [`${first}, return()`]: { run: (items, app) => begin(items, app, count).then((iterator) => iterator.return()) },
  [`${first}, return() twice at once`]: {
    async run (items, app) {
      const iterator = await begin(items, app, count)
      await Promise.all([iterator.return(), iterator.return()])
    }
  },
  [`${first}, throw()`]: {
    fails: true,
    run: (items, app) => begin(items, app, count).then((iterator) => iterator.throw(app.error))
  },
  [`${first}, stop`]: { abandons: true, async run (items, app) { await begin(items, app, count) } },
  [`${first}, never settle`]: {
    abandons: true,
    hangs: true,
    run: (items, app) => begin(items, app, count).then(() => new Promise(() => {}))
  },
  'return() first': { run: (items, app) => begin(items, app, 0).then((iterator) => iterator.return()) },
  'return() during next()': {
    run: (items, app) => begin(items, app, 0).then((iterator) => Promise.all([iterator.next(), iterator.return()]))
  },
  nothing: { run () {} }
})
