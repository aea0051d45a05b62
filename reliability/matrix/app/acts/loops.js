'use strict'

// What an app does with records, or lists of them.

const { Readable } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const iterators = require('./iterators')
const { reading } = require('./common')

/** @type {typeof import('./streams')} */
module.exports = {
  ...iterators('one', 1),
  ...reading({
    'for await': collect,
    'by next()': (records) => rest(records[Symbol.asyncIterator]()),
    async 'next() seven times at once' (records) {
      const iterator = records[Symbol.asyncIterator]()
      return restAfter(iterator, await Promise.all(Array.from({ length: 7 }, () => iterator.next())))
    },
    'Readable.from': (records) => Readable.from(records).toArray(),
    toWeb: (records) => collect(Readable.toWeb(Readable.from(records))),
    async 'slow loop' (records) {
      const items = []
      for await (const item of records) {
        items.push(item)
        if (items.length % 50 === 0) await turn()
      }
      return items
    },
    'one, wait for the client, the rest': (records, app) => readRest(records, () => untilSent(app)),
    later: (records, app) => app.soon().then(() => collect(records)),
    'two loops' (records) {
      const items = []
      const read = async () => { for await (const item of records) items.push(item) }
      const second = (error) => { if (!(error instanceof TypeError)) throw error } // unless both share a generator
      return Promise.all([read(), read().catch(second)]).then(() => items)
    }
  }),
  async 'Readable.from, destroy' (records, app) {
    const stream = Readable.from(records).on('error', () => {})
    for await (const item of stream) {
      app.sees(item)
      stream.destroy()
    }
  },
  'return, read soon' (records, app) { app.reads(app.soon().then(() => collect(records))) },
  'answer, for await' (records, app) {
    app.answer()
    return app.reads(collect(records))
  },
  'one, answer, the rest': {
    reads: true,
    answers: true,
    run: (records, app) => app.reads(readRest(records, () => app.answer()))
  },
  'one, answer, wait for the client, the rest': (records, app) => app.reads(readRest(records, () => {
    app.answer()
    return untilSent(app)
  })),
  'one, answer, break': (records, app) => app.readsOne(records, () => app.answer()),
  'answer, nothing' (records, app) { app.answer() }
}

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

const rest = (iterator) => collect({ [Symbol.asyncIterator]: () => iterator })

/** What these results of `next` have, and all that comes after them. */
async function restAfter (iterator, results) {
  const items = results.filter(({ done }) => !done).map(({ value }) => value)
  return [...items, ...await rest(iterator)]
}
