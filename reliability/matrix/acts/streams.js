'use strict'

// What an app does with a file that it is given as a stream, by a store of its own or as a part: a Readable, or, by
// /web, an async iterable with `stream`, a ReadableStream. Both have `peek`.

const { once } = require('node:events')
const { Readable } = require('node:stream')
const { buffer } = require('node:stream/consumers')
const transferAll = require('../../../test/support/transfer')
const { answering, collect, reading, settlements } = require('./act')

const bytesOf = (iterable) => collect(iterable).then(Buffer.concat)
const readAll = (file, app) => app.reads(bytesOf(file))

/** With both. @type {Record<string, import('./act').Act | import('./act').Act['run']>} */
const common = {
  ...reading({
    'for await': bytesOf,
    'for await, transfer': transferAll,
    /** Bytes that are peeked at, before a reader takes them. */
    async 'peek twice at once, for await' (file, app) {
      for (const bytes of await Promise.all([file.peek(10), file.peek(2000)])) app.sees(bytes)
      return bytesOf(file)
    }
  }),
  'for await, break': (file, app) => app.readsOne(file),
  'for await, throw': { fails: true, run: (file, app) => app.readsOne(file, () => app.throw()) },
  nothing () {},
  'return, read after the form' (file, app) { app.reads(app.exchange.over.then(() => bytesOf(file))) },
  ...settlements(readAll),
  'answer, for await': { reads: true, answers: true, run: answering(readAll) }
}

/** @type {typeof common} */
const streams = {
  ...common,
  ...reading({
    'by events': byEvents,
    toWeb: (file) => buffer(Readable.toWeb(file)),
    'data, pause, resume later' (file, app) {
      file.once('data', () => {
        file.pause()
        app.soon().then(() => file.resume())
      })
      return byEvents(file)
    }
  }),
  async 'iterator.next(), return, the rest later' (file, app) {
    const iterator = file[Symbol.asyncIterator]()
    const rest = app.soon().then(() => bytesOf({ [Symbol.asyncIterator]: () => iterator }))
    app.reads(iterator.next().then(async ({ value }) => Buffer.concat([value ?? Buffer.alloc(0), await rest])))
  },
  async 'data, removeAllListeners, slow, return' (file, app) {
    app.sees((await once(file, 'data'))[0])
    file.removeAllListeners()
    await app.soon()
  },
  'destroy(error), removeAllListeners' (file, app) {
    file.destroy(app.error)
    file.removeAllListeners()
  }
}

/** @type {typeof common} */
const webStreams = {
  ...common,
  ...reading({
    async 'two reads at once' ({ stream }) {
      const reader = stream.getReader()
      const results = await Promise.all([reader.read(), reader.read()])
      reader.releaseLock()
      return bytesOf([...results.flatMap(({ done, value }) => done ? [] : [value]), await buffer(stream)])
    }
  }),
  'a reader, return': { reads: true, run ({ stream }, app) { app.reads(buffer(stream)) } },
  'getReader, return' ({ stream }) { stream.getReader() },
  'cancel(error)': ({ stream }, app) => stream.cancel(app.error),
  async 'cancel while a read waits' ({ stream }) {
    const reader = stream.getReader()
    await Promise.all([reader.read(), reader.cancel()])
  }
}

function byEvents (file) {
  const chunks = []
  file.on('data', (chunk) => chunks.push(chunk))
  return Promise.race([once(file, 'end').then(() => Buffer.concat(chunks)), closed(file)])
}

/** Rejects: a reader that waits for the end sees so that there is none. */
async function closed (file) {
  if (!file.closed) await new Promise((resolve) => { file.on('close', resolve) })
  await new Promise(setImmediate) // what the reader has is finished by then
  throw file.errored ?? new Error('closed')
}

module.exports = { bytesOf, streams, webStreams }
