'use strict'

// What an app does with a file that it is given as a stream, by a store of its own or as a part: a Readable, or, by
// /web, an async iterable with `stream`, a ReadableStream. Both have `peek`.

const { once } = require('node:events')
const { Readable, Writable } = require('node:stream')
const { pipeline } = require('node:stream/promises')
const transferAll = require('../../../test/support/transfer')
const { answering, never, reading, settlements } = require('./act')

async function collect (iterable) {
  const chunks = []
  for await (const chunk of iterable) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const readAll = (file, app) => app.reads(collect(file))

/** With both. @type {Record<string, import('./act').Act | import('./act').Act['run']>} */
const common = {
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
  ...settlements(readAll),
  'reject while reading': {
    fails: true,
    async run (file, app) {
      readAll(file, app)
      throw app.error
    }
  },
  'read, never settle': { hangs: true, run: (file, app) => readAll(file, app).then(never) },
  'answer, for await': { reads: true, answers: true, run: answering(readAll) },
  'answer, return': { answers: true, run: answering(() => {}) },
  async 'peek, return' (file, app) { app.sees(await file.peek(100)) }
}

/** Bytes that are peeked at, before a reader takes them. */
const peekTwice = (read) => async (file, app) => {
  for (const bytes of await Promise.all([file.peek(10), file.peek(2000)])) app.sees(bytes)
  return read(file)
}

/** @type {typeof common} */
const streams = {
  ...common,
  ...reading({
    'by events': byEvents,
    'by readable events': byReadable,
    toWeb: (file) => new Response(Readable.toWeb(file)).arrayBuffer(),
    'data, pause, resume later' (file, app) {
      file.once('data', () => {
        file.pause()
        app.soon().then(() => file.resume())
      })
      return byEvents(file)
    },
    'peek twice at once, pipeline': peekTwice(throughPipeline)
  }),
  'pipe, return': {
    reads: true,
    run (file, app) {
      const target = file.pipe(new Target())
      const cut = closed(file).catch((error) => file.readableEnded ? never() : Promise.reject(error))
      app.reads(Promise.race([once(target, 'finish').then(() => target.bytes), cut]))
    }
  },
  async 'iterator.next(), return, the rest later' (file, app) {
    const iterator = file[Symbol.asyncIterator]()
    const rest = app.soon().then(() => collect({ [Symbol.asyncIterator]: () => iterator }))
    app.reads(iterator.next().then(async ({ value }) => Buffer.concat([value ?? Buffer.alloc(0), await rest])))
  },
  async 'data, removeAllListeners, slow, return' (file, app) {
    app.sees((await once(file, 'data'))[0])
    file.removeAllListeners()
    await app.soon()
  },
  'data, pause, return' (file, app) {
    file.on('data', () => file.pause())
    return app.soon()
  },
  'return, events after the form' (file, app) { app.reads(app.exchange.over.then(() => byEvents(file))) },
  'resume, return' (file) { file.resume() },
  'destroy()' (file) { file.destroy() },
  'destroy(error), removeAllListeners' (file, app) {
    file.destroy(app.error)
    file.removeAllListeners()
  }
}

/** @type {typeof common} */
const webStreams = {
  ...common,
  ...reading({
    'a Response': ({ stream }) => new Response(stream).arrayBuffer(),
    async 'two reads at once' ({ stream }) {
      const reader = stream.getReader()
      const results = await Promise.all([reader.read(), reader.read()])
      const chunks = results.filter(({ done }) => !done).map(({ value }) => value)
      return Buffer.concat([...chunks, await drain(reader)])
    },
    'peek twice at once, a reader': peekTwice(({ stream }) => drain(stream.getReader()))
  }),
  'a reader, return': { reads: true, run ({ stream }, app) { app.reads(drain(stream.getReader())) } },
  'read, releaseLock, return' ({ stream }) {
    const reader = stream.getReader()
    reader.read().catch(() => {})
    reader.releaseLock()
  },
  async 'one read, return, the rest later' ({ stream }, app) {
    const reader = stream.getReader()
    const first = await reader.read()
    const rest = app.soon().then(() => first.done ? Buffer.alloc(0) : drain(reader))
    app.reads(rest.then((bytes) => Buffer.concat([first.value ?? Buffer.alloc(0), bytes])))
  },
  'getReader, return' ({ stream }) { stream.getReader() },
  'cancel(error)': ({ stream }, app) => stream.cancel(app.error),
  async 'cancel while a read waits' ({ stream }) {
    const reader = stream.getReader()
    await Promise.all([reader.read(), reader.cancel()])
  }
}

function throughPipeline (file) {
  const target = new Target()
  return pipeline(file, target).then(() => target.bytes)
}

function byEvents (file) {
  const chunks = []
  file.on('data', (chunk) => chunks.push(chunk))
  return untilEnd(file, chunks)
}

function byReadable (file) {
  const chunks = []
  file.on('readable', () => { for (let chunk; (chunk = file.read()) !== null;) chunks.push(chunk) })
  return untilEnd(file, chunks)
}

function untilEnd (file, chunks) {
  return Promise.race([once(file, 'end').then(() => Buffer.concat(chunks)), closed(file)])
}

/** Rejects: a reader that waits for the end sees so that there is none. */
async function closed (file) {
  if (!file.closed) await new Promise((resolve) => { file.on('close', resolve) })
  await new Promise(setImmediate) // what the reader has is finished by then
  throw file.errored ?? new Error('closed')
}

class Target extends Writable {
  #chunks = []

  _write (chunk, encoding, done) {
    this.#chunks.push(chunk)
    setImmediate(done)
  }

  get bytes () {
    return Buffer.concat(this.#chunks)
  }
}

async function drain (reader) {
  const chunks = []
  for (let result; !(result = await reader.read()).done;) chunks.push(result.value)
  return Buffer.concat(chunks)
}

module.exports = { collect, streams, webStreams }
