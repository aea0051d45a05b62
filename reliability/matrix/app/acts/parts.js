'use strict'

// What an app does with the parts of a form as a whole.

const { buffer } = require('node:stream/consumers')

const isFile = (part) => part.name !== undefined

/** @type {Record<string, import('./streams').Act>} */
module.exports = {
  'collect, then read': {
    async run (parts, app) {
      const files = []
      for await (const part of parts) if (isFile(part)) files.push(part)
      for (const file of files) await app.reads(buffer(file), file.field)
    }
  },
  'collect, then read at once': {
    async run (parts, app) {
      const files = []
      for await (const part of parts) if (isFile(part)) files.push(part)
      await Promise.all(files.map((file) => app.reads(buffer(file), file.field)))
    }
  },
  'read without waiting': {
    async run (parts, app) {
      for await (const part of parts) if (isFile(part)) app.reads(buffer(part), part.field)
    }
  },
  'next() seven times at once': {
    async run (parts, app) {
      const iterator = parts[Symbol.asyncIterator]()
      const results = await Promise.all(Array.from({ length: 7 }, () => iterator.next()))
      const files = results.filter(({ done, value }) => !done && isFile(value)).map(({ value }) => value)
      for (const file of files) await app.reads(buffer(file), file.field)
    }
  },
  'one, break': { run: (parts, app) => app.readsOne(parts) },
  'file, break, read': {
    async run (parts, app) {
      let file
      for await (file of parts) if (isFile(file)) break
      if (file !== undefined && isFile(file)) await app.reads(buffer(file), file.field)
    }
  },
  'one, throw': { fails: true, run: (parts, app) => app.readsOne(parts, () => app.throw()) },
  'file, return()': {
    async run (parts, app) {
      const iterator = parts[Symbol.asyncIterator]()
      await iterator.next()
      await iterator.next()
      await iterator.return()
    }
  },
  'file, throw()': {
    fails: true,
    async run (parts, app) {
      const iterator = parts[Symbol.asyncIterator]()
      await iterator.next()
      await iterator.next()
      await iterator.throw(app.error)
    }
  },
  'file, stop': {
    abandons: true,
    async run (parts, app) {
      const iterator = parts[Symbol.asyncIterator]()
      await iterator.next()
      await iterator.next()
    }
  },
  'file, never settle': {
    abandons: true,
    hangs: true,
    async run (parts, app) {
      for await (const part of parts) if (isFile(part)) await new Promise(() => {})
    }
  },
  'return() first': { async run (parts) { await parts[Symbol.asyncIterator]().return() } },
  'return() during next()': {
    async run (parts, app) {
      const iterator = parts[Symbol.asyncIterator]()
      await Promise.all([iterator.next(), iterator.return()])
    }
  },
  'no loop': { run () {} },
  'answer, read all': {
    async run (parts, app) {
      app.answer()
      for await (const part of parts) if (isFile(part)) await app.reads(buffer(part), part.field)
    }
  },
  'file, answer, read all': {
    reads: true,
    answers: true,
    async run (parts, app) {
      for await (const part of parts) {
        if (!isFile(part)) continue
        app.answer()
        await app.reads(buffer(part), part.field)
      }
    }
  }
}
