'use strict'

// What an app does with records, or lists of them.

const { Readable } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const iterators = require('./iterators')

/** @type {Record<string, import('./streams').Act>} */
module.exports = {
  ...iterators('one', 1),
  'for await': { reads: true, run: (records, app) => app.reads(collect(records)) },
  'by next()': {
    reads: true,
    run: (records, app) => app.reads(rest(records[Symbol.asyncIterator]()))
  },
  'next() seven times at once': {
    reads: true,
    run (records, app) {
      const iterator = records[Symbol.asyncIterator]()
      const first = Array.from({ length: 7 }, () => iterator.next())
      return app.reads(Promise.all(first).then((results) => restAfter(iterator, results)))
    }
  },
  'Readable.from': { reads: true, run: (records, app) => app.reads(Readable.from(records).toArray()) },
  'Readable.from, destroy': {
    async run (records, app) {
      const stream = Readable.from(records).on('error', () => {})
      for await (const item of stream) {
        app.sees(item)
        stream.destroy()
      }
    }
  },
  toWeb: { reads: true, run: (records, app) => app.reads(collect(Readable.toWeb(Readable.from(records)))) },
  'slow loop': {
    reads: true,
    run: (records, app) => app.reads((async () => {
      const items = []
      for await (const item of records) {
        items.push(item)
        if (items.length % 50 === 0) await turn()
      }
      return items
    })())
  },
  'one, wait for the client, the rest': {
    reads: true,
    run: (records, app) => readRest(records, app, () => untilSent(app))
  },
  later: { reads: true, run: (records, app) => app.reads(app.soon().then(() => collect(records))) },
  'return, read soon': { run (records, app) { app.reads(app.soon().then(() => collect(records))) } },
  'answer, for await': {
    run (records, app) {
      app.answer()
      return app.reads(collect(records))
    }
  },
  'one, answer, the rest': {
    reads: true,
    answers: true,
    run: (records, app) => readRest(records, app, () => app.answer())
  },
  'one, answer, wait for the client, the rest': {
    run: (records, app) => readRest(records, app, () => {
      app.answer()
      return untilSent(app)
    })
  },
  'one, answer, break': { run: (records, app) => app.readsOne(records, () => app.answer()) },
  'answer, nothing': { run (records, app) { app.answer() } },
  'two loops': {
    reads: true,
    run (records, app) {
      const items = []
      const read = async () => { for await (const item of records) items.push(item) }
      const second = (error) => { if (!(error instanceof TypeError)) throw error } // unless both share a generator
      return app.reads(Promise.all([read(), read().catch(second)]).then(() => items))
    }
  }
}

async function collect (iterable) {
  const items = []
  for await (const item of iterable) items.push(item)
  return items
}

const untilSent = ({ exchange, soon }) => exchange.sent.then(soon)

/** The first record, something else, and the rest. */
function readRest (records, app, act) {
  const iterator = records[Symbol.asyncIterator]()
  return app.reads(iterator.next().then(async (first) => {
    await act()
    return restAfter(iterator, [first])
  }))
}

const rest = (iterator) => collect({ [Symbol.asyncIterator]: () => iterator })

/** What these results of `next` have, and all that comes after them. */
async function restAfter (iterator, results) {
  const items = results.filter(({ done }) => !done).map(({ value }) => value)
  return [...items, ...await rest(iterator)]
}
