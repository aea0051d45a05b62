'use strict'

// What an app does with a file that it is given as a stream: by a store of its
// own, or as a part. What an act returns is what the store returns; a loop over
// parts waits for it.

const { once } = require('node:events')
const { Readable, Writable } = require('node:stream')
const { pipeline } = require('node:stream/promises')
const settlements = require('./settlements')

/**
 * @typedef {object} Act
 * @property {(thing: any, app: import('../app')) => unknown} run
 * @property {boolean} [reads] everything, if the client sends it
 * @property {boolean} [answers] the request, before the rest of it is read
 * @property {boolean} [abandons] an iterator without its `return()`, so that its listeners stay as long as the request
 * @property {boolean} [fails] on purpose
 * @property {boolean} [hangs] what it returns never settles
 * @property {boolean} [hasOneTime] at once: at another, a promise hides what is odd about the value in it
 * @property {string} [needs] a method that what it is given may lack
 */

/** @type {Record<string, Act>} */
module.exports = {
  'for await': { reads: true, run: (file, app) => app.reads(collect(file)) },
  'by events': { reads: true, run: (file, app) => app.reads(byEvents(file)) },
  'by readable events': { reads: true, run: (file, app) => app.reads(byReadable(file)) },
  pipeline: { reads: true, run: (file, app) => app.reads(throughPipeline(file)) },
  'pipe, return': {
    reads: true,
    run (file, app) {
      const target = file.pipe(new Target())
      const cut = closed(file).catch((error) => file.readableEnded ? never() : Promise.reject(error))
      app.reads(Promise.race([once(target, 'finish').then(() => target.bytes), cut]))
    }
  },
  toWeb: { reads: true, run: (file, app) => app.reads(new Response(Readable.toWeb(file)).arrayBuffer()) },
  'toWeb, one read, return': {
    async run (file, app) {
      const { value } = await Readable.toWeb(file).getReader().read()
      app.sees(value)
    }
  },
  'iterator.next(), return': { async run (file, app) { app.sees((await file[Symbol.asyncIterator]().next()).value) } },
  'iterator.next(), return, the rest later': {
    async run (file, app) {
      const iterator = file[Symbol.asyncIterator]()
      const rest = app.soon().then(() => collect({ [Symbol.asyncIterator]: () => iterator }))
      app.reads(iterator.next().then(async ({ value }) => Buffer.concat([value ?? Buffer.alloc(0), await rest])))
    }
  },
  'data, removeAllListeners, slow, return': { run: (file, app) => stopReading(file, app).then(() => app.soon()) },
  'data, removeAllListeners, after the client, return': {
    run: (file, app) => stopReading(file, app).then(() => app.exchange.sent).then(() => app.soon())
  },
  'data, pause, return': {
    async run (file, app) {
      file.on('data', () => file.pause())
      await app.soon()
    }
  },
  'data, pause, resume later': {
    reads: true,
    run (file, app) {
      file.once('data', () => {
        file.pause()
        app.soon().then(() => file.resume())
      })
      return app.reads(byEvents(file))
    }
  },
  'for await, break': { run: (file, app) => app.readsOne(file) },
  'for await, throw': { fails: true, run: (file, app) => app.readsOne(file, () => app.throw()) },
  nothing: { run () {} },
  'return, read soon': { run (file, app) { app.reads(app.soon().then(() => collect(file))) } },
  'return, read after the form': { run (file, app) { app.reads(app.exchange.over.then(() => collect(file))) } },
  'return, events after the form': { run (file, app) { app.reads(app.exchange.over.then(() => byEvents(file))) } },
  'two listeners': {
    reads: true,
    run: (file, app) => Promise.all([app.reads(byEvents(file)), app.reads(byEvents(file))])
  },
  'two loops': {
    reads: true,
    run (file, app) {
      const chunks = []
      const read = async () => { for await (const chunk of file) chunks.push(chunk) }
      return app.reads(Promise.all([read(), read()]).then(() => Buffer.concat(chunks)))
    }
  },
  'removeAllListeners, for await': {
    reads: true,
    run (file, app) {
      file.removeAllListeners()
      return app.reads(collect(file))
    }
  },
  'removeAllListeners, return': { run (file) { file.removeAllListeners() } },
  'pause, return': { run (file) { file.pause() } },
  'resume, return': { run (file) { file.resume() } },
  'destroy()': { run (file) { file.destroy() } },
  'destroy(error)': { run (file, app) { file.destroy(app.error) } },
  'destroy(error), removeAllListeners': {
    run (file, app) {
      file.destroy(app.error)
      file.removeAllListeners()
    }
  },
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
  'peek, for await': {
    reads: true,
    needs: 'peek',
    async run (file, app) {
      app.sees(await file.peek(100))
      await app.reads(collect(file))
    }
  },
  'peek, return': {
    needs: 'peek',
    async run (file, app) { app.sees(await file.peek(100)) }
  },
  'peek too much, by events': {
    reads: true,
    needs: 'peek',
    async run (file, app) {
      app.sees(await file.peek(64 * 1024))
      await app.reads(byEvents(file))
    }
  },
  'peek twice at once, pipeline': {
    reads: true,
    needs: 'peek',
    async run (file, app) {
      const seen = await Promise.all([file.peek(10), file.peek(2000)])
      seen.forEach((bytes) => app.sees(bytes))
      await app.reads(throughPipeline(file))
    }
  }
}

const never = () => new Promise(() => {})

async function stopReading (file, app) {
  app.sees((await once(file, 'data'))[0])
  file.removeAllListeners()
}

async function collect (stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
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
