'use strict'

// What an app does with a loop: over records, lists of them, or the parts of a form.

const { answering, collect, reading } = require('./act')
const { bytesOf } = require('./streams')

/** Its iterator, once the app has seen so many items. */
async function begin (items, app, count = 0) {
  const iterator = items[Symbol.asyncIterator]()
  for (let i = 0; i < count; i++) app.sees((await iterator.next()).value)
  return iterator
}

/** With any loop: `first` names so many items that the app sees. */
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
  async 'return() during next()' (items, app) {
    const iterator = await begin(items, app)
    await Promise.all([iterator.next(), iterator.return()])
  },
  nothing () {}
})

/** What the first calls of `next` give, something else, and the rest. */
async function readRest (records, count = 1, act = () => {}) {
  const iterator = records[Symbol.asyncIterator]()
  const first = await Promise.all(Array.from({ length: count }, () => iterator.next()))
  await act()
  const items = first.filter(({ done }) => !done).map(({ value }) => value)
  return [...items, ...await collect({ [Symbol.asyncIterator]: () => iterator })]
}

const untilSent = ({ exchange, soon }) => exchange.sent.then(soon)

const records = {
  ...common('one', 1),
  ...reading({
    'for await': collect,
    'next() seven times at once': (records) => readRest(records, 7),
    'one, wait for the client, the rest': (records, app) => readRest(records, 1, () => untilSent(app)),
    async 'two loops' (records) {
      const items = []
      const read = async () => { for await (const item of records) items.push(item) }
      const second = (error) => { if (!(error instanceof TypeError)) throw error } // unless both share a generator
      return Promise.all([read(), read().catch(second)]).then(() => items)
    }
  }),
  'return, read soon' (records, app) { app.reads(app.soon().then(() => collect(records))) },
  'answer, for await': answering((records, app) => app.reads(collect(records))),
  'one, answer, wait for the client, the rest': (records, app) => app.reads(readRest(records, 1, () => {
    app.answer()
    return untilSent(app)
  })),
  'answer, nothing': answering(() => {})
}

const isFile = (part) => part.name !== undefined
const read = (file, app) => app.reads(bytesOf(file), file.field)

const parts = {
  ...common('file', 2), // a field comes before the first file
  async 'collect, then read' (parts, app) {
    for (const file of (await collect(parts)).filter(isFile)) await read(file, app)
  },
  async 'read without waiting' (parts, app) {
    for await (const part of parts) if (isFile(part)) read(part, app)
  },
  async 'next() seven times at once' (parts, app) {
    for (const file of (await readRest(parts, 7)).filter(isFile)) await read(file, app)
  },
  async 'file, break, read' (parts, app) {
    let file
    for await (file of parts) if (isFile(file)) break
    if (file !== undefined && isFile(file)) await read(file, app)
  },
  'answer, read all': answering(async (parts, app) => {
    for await (const part of parts) if (isFile(part)) await read(part, app)
  })
}

module.exports = { parts, records }
