'use strict'

// What an app does with a loop: over records, lists of them, or the parts of a form.

const { setImmediate: turn } = require('node:timers/promises')
const { answering, never, reading } = require('./act')
const { collect: bytesOf } = require('./streams')

/** Its iterator, once the app has seen so many items. */
async function begin (items, app, count = 0) {
  const iterator = items[Symbol.asyncIterator]()
  for (let i = 0; i < count; i++) app.sees((await iterator.next()).value)
  return iterator
}

/**
 * With any loop.
 *
 * @param {string} first how the acts name the items that the app sees
 * @param {number} count of these items
 * @returns {Record<string, import('./act').Act | import('./act').Act['run']>}
 */
const common = (first, count) => ({
  'one, break': (items, app) => app.readsOne(items),
  'one, throw': { fails: true, run: (items, app) => app.readsOne(items, () => app.throw()) },
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
    run: (items, app) => begin(items, app, count).then(never)
  },
  'return() first': async (items, app) => (await begin(items, app)).return(),
  async 'return() during next()' (items, app) {
    const iterator = await begin(items, app)
    await Promise.all([iterator.next(), iterator.return()])
  },
  nothing () {}
})

async function collect (iterable) {
  const items = []
  for await (const item of iterable) items.push(item)
  return items
}

const untilSent = ({ exchange, soon }) => exchange.sent.then(soon)

/** The first record, something else, and the rest. */
async function readRest (records, act) {
  const iterator = records[Symbol.asyncIterator]()
  const first = await iterator.next()
  await act()
  return restAfter(iterator, [first])
}

/** What these results of `next` have, and all that comes after them. */
async function restAfter (iterator, results) {
  const items = results.filter(({ done }) => !done).map(({ value }) => value)
  return [...items, ...await collect({ [Symbol.asyncIterator]: () => iterator })]
}

const sevenAtOnce = (iterator) => Promise.all(Array.from({ length: 7 }, () => iterator.next()))

/** @type {ReturnType<typeof common>} */
const records = {
  ...common('one', 1),
  ...reading({
    'for await': collect,
    async 'next() seven times at once' (records) {
      const iterator = records[Symbol.asyncIterator]()
      return restAfter(iterator, await sevenAtOnce(iterator))
    },
    async 'slow loop' (records) {
      const items = []
      for await (const item of records) {
        items.push(item)
        if (items.length % 50 === 0) await turn()
      }
      return items
    },
    'one, wait for the client, the rest': (records, app) => readRest(records, () => untilSent(app)),
    'two loops' (records) {
      const items = []
      const read = async () => { for await (const item of records) items.push(item) }
      const second = (error) => { if (!(error instanceof TypeError)) throw error } // unless both share a generator
      return Promise.all([read(), read().catch(second)]).then(() => items)
    }
  }),
  'return, read soon' (records, app) { app.reads(app.soon().then(() => collect(records))) },
  'answer, for await': answering((records, app) => app.reads(collect(records))),
  'one, answer, the rest': {
    reads: true,
    answers: true,
    run: (records, app) => app.reads(readRest(records, () => app.answer()))
  },
  'one, answer, wait for the client, the rest': (records, app) => app.reads(readRest(records, () => {
    app.answer()
    return untilSent(app)
  })),
  'answer, nothing': answering(() => {})
}

const isFile = (part) => part.name !== undefined
const read = (file, app) => app.reads(bytesOf(file), file.field)

async function readEach (parts, app, act = () => {}) {
  for await (const part of parts) {
    if (!isFile(part)) continue
    act()
    await read(part, app)
  }
}

/** @type {ReturnType<typeof common>} */
const parts = {
  ...common('file', 2), // a field comes before the first file
  async 'collect, then read' (parts, app) {
    for (const file of (await collect(parts)).filter(isFile)) await read(file, app)
  },
  async 'read without waiting' (parts, app) {
    for await (const part of parts) if (isFile(part)) read(part, app)
  },
  async 'next() seven times at once' (parts, app) {
    const results = await sevenAtOnce(parts[Symbol.asyncIterator]())
    for (const { done, value } of results) if (!done && isFile(value)) await read(value, app)
  },
  async 'file, break, read' (parts, app) {
    let file
    for await (file of parts) if (isFile(file)) break
    if (file !== undefined && isFile(file)) await read(file, app)
  },
  'answer, read all': answering(readEach),
  'file, answer, read all': {
    reads: true,
    answers: true,
    run: (parts, app) => readEach(parts, app, () => app.answer())
  }
}

module.exports = { parts, records }
