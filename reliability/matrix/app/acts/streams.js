'use strict'

// What an app does with a file that it is given as a stream: by a store of its
// own, or as a part. What an act returns is what the store returns; a loop over
// parts waits for it.

const { once } = require('node:events')
const { Readable, Writable } = require('node:stream')
const { pipeline } = require('node:stream/promises')
const { acts, collect, never, reading } = require('./common')

/**
 * @typedef {object} Act
 * @property {(thing: any, app: import('../app')) => unknown} run
 * @property {boolean} [reads] everything, if the client sends it
 * @property {boolean} [answers] the request, before the rest of it is read
 * @property {boolean} [abandons] an iterator without its `return()`, so that its listeners stay as long as the request
 * @property {boolean} [fails] on purpose
 * @property {boolean} [hangs] what it returns never settles
 * @property {boolean} [hasOneTime] at once: at another, a promise hides what is odd about the value in it
 */

/** Those without more to say are their `run`. @type {Record<string, Act | Act['run']>} */
module.exports = {
  ...reading({
    'by events': byEvents,
    'by readable events': byReadable,
    pipeline: throughPipeline,
    toWeb: (file) => new Response(Readable.toWeb(file)).arrayBuffer(),
    'data, pause, resume later' (file, app) {
      file.once('data', () => {
        file.pause()
        app.soon().then(() => file.resume())
      })
      return byEvents(file)
    },
    'two loops' (file) {
      const chunks = []
      const read = async () => { for await (const chunk of file) chunks.push(chunk) }
      return Promise.all([read(), read()]).then(() => Buffer.concat(chunks))
    },
    'removeAllListeners, for await' (file) {
      file.removeAllListeners()
      return collect(file)
    },
    async 'peek too much, by events' (file, app) {
      app.sees(await file.peek(64 * 1024))
      return byEvents(file)
    },
    async 'peek twice at once, pipeline' (file, app) {
      const seen = await Promise.all([file.peek(10), file.peek(2000)])
      seen.forEach((bytes) => app.sees(bytes))
      return throughPipeline(file)
    }
  }),
  'pipe, return': {
    reads: true,
    run (file, app) {
      const target = file.pipe(new Target())
      const cut = closed(file).catch((error) => file.readableEnded ? never() : Promise.reject(error))
      app.reads(Promise.race([once(target, 'finish').then(() => target.bytes), cut]))
    }
  },
  'two listeners': {
    reads: true,
    run: (file, app) => Promise.all([app.reads(byEvents(file)), app.reads(byEvents(file))])
  },
  async 'toWeb, one read, return' (file, app) {
    app.sees((await Readable.toWeb(file).getReader().read()).value)
  },
  async 'iterator.next(), return' (file, app) {
    app.sees((await file[Symbol.asyncIterator]().next()).value)
  },
  async 'iterator.next(), return, the rest later' (file, app) {
    const iterator = file[Symbol.asyncIterator]()
    const rest = app.soon().then(() => collect({ [Symbol.asyncIterator]: () => iterator }))
    app.reads(iterator.next().then(async ({ value }) => Buffer.concat([value ?? Buffer.alloc(0), await rest])))
  },
  'data, removeAllListeners, slow, return': (file, app) => stopReading(file, app).then(() => app.soon()),
  async 'data, removeAllListeners, after the client, return' (file, app) {
    await stopReading(file, app)
    await app.exchange.sent
    await app.soon()
  },
  'data, pause, return' (file, app) {
    file.on('data', () => file.pause())
    return app.soon()
  },
  'return, events after the form' (file, app) { app.reads(app.exchange.over.then(() => byEvents(file))) },
  'removeAllListeners, return' (file) { file.removeAllListeners() },
  'pause, return' (file) { file.pause() },
  'resume, return' (file) { file.resume() },
  'destroy()' (file) { file.destroy() },
  'destroy(error)' (file, app) { file.destroy(app.error) },
  'destroy(error), removeAllListeners' (file, app) {
    file.destroy(app.error)
    file.removeAllListeners()
  },
  ...acts
}

async function stopReading (file, app) {
  app.sees((await once(file, 'data'))[0])
  file.removeAllListeners()
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
