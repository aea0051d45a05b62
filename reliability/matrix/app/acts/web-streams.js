'use strict'

// What an app does with a file that /web gives it: an async iterable with `stream`, a ReadableStream, and `peek`. As in
// ./streams.js, what an act returns is what the store returns.

const { acts, collect, reading } = require('./common')

/** @type {Record<string, import('./streams').Act | import('./streams').Act['run']>} */
module.exports = {
  ...reading({
    'for await of the stream': ({ stream }) => collect(stream),
    'a reader': ({ stream }) => drain(stream.getReader()),
    'a Response': ({ stream }) => new Response(stream).arrayBuffer(),
    async pipeTo ({ stream }) {
      const chunks = []
      await stream.pipeTo(new WritableStream({ write: (chunk) => { chunks.push(chunk) } }))
      return Buffer.concat(chunks)
    },
    pipeThrough: ({ stream }) => collect(stream.pipeThrough(new TransformStream())),
    async tee ({ stream }) {
      const [one, other] = stream.tee()
      const [bytes, same] = await Promise.all([collect(one), collect(other)])
      if (!bytes.equals(same)) throw new Error('the branches differ')
      return bytes
    },
    async 'a reader, released after each chunk' ({ stream }) {
      const chunks = []
      for (let result; ;) {
        const reader = stream.getReader()
        result = await reader.read()
        reader.releaseLock()
        if (result.done) return Buffer.concat(chunks)
        chunks.push(result.value)
      }
    },
    async 'two reads at once' ({ stream }) {
      const reader = stream.getReader()
      const results = await Promise.all([reader.read(), reader.read()])
      const chunks = results.filter(({ done }) => !done).map(({ value }) => value)
      return Buffer.concat([...chunks, await drain(reader)])
    },
    async 'peek too much, a Response' (file, app) {
      app.sees(await file.peek(64 * 1024))
      return new Response(file.stream).arrayBuffer()
    },
    async 'peek twice at once, a reader' (file, app) {
      for (const bytes of await Promise.all([file.peek(10), file.peek(2000)])) app.sees(bytes)
      return drain(file.stream.getReader())
    }
  }),
  'a reader, return': { reads: true, run ({ stream }, app) { app.reads(drain(stream.getReader())) } },
  async 'one read, return' ({ stream }, app) { app.sees((await stream.getReader().read()).value) },
  async 'one read, releaseLock, return' ({ stream }, app) {
    const reader = stream.getReader()
    app.sees((await reader.read()).value)
    reader.releaseLock()
  },
  'read, releaseLock, return' ({ stream }) {
    const reader = stream.getReader()
    reader.read().catch(() => {})
    reader.releaseLock()
  },
  async 'read, releaseLock soon, return' ({ stream }, app) {
    const reader = stream.getReader()
    reader.read().catch(() => {})
    await app.soon()
    reader.releaseLock()
  },
  async 'one read, return, the rest later' ({ stream }, app) {
    const reader = stream.getReader()
    const first = await reader.read()
    const rest = app.soon().then(() => first.done ? Buffer.alloc(0) : drain(reader))
    app.reads(rest.then((bytes) => Buffer.concat([first.value ?? Buffer.alloc(0), bytes])))
  },
  'getReader, return' ({ stream }) { stream.getReader() },
  'cancel()': ({ stream }) => stream.cancel(),
  'cancel(error)': ({ stream }, app) => stream.cancel(app.error),
  async 'cancel while a read waits' ({ stream }) {
    const reader = stream.getReader()
    await Promise.all([reader.read(), reader.cancel()])
  },
  async 'pipeTo, aborted' ({ stream }, app) {
    const controller = new AbortController()
    const piped = stream.pipeTo(new WritableStream(), { signal: controller.signal }).catch(() => {})
    await app.soon()
    controller.abort()
    await piped
  },
  'pipeTo what fails': {
    fails: true,
    run: ({ stream }, app) => stream.pipeTo(new WritableStream({ start: () => app.throw() }))
  },
  ...acts
}

async function drain (reader) {
  const chunks = []
  for (let result; !(result = await reader.read()).done;) chunks.push(result.value)
  return Buffer.concat(chunks)
}
