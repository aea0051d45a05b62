'use strict'

// What an app does with the parts of a form as a whole.

const { buffer } = require('node:stream/consumers')
const iterators = require('./iterators')

const isFile = (part) => part.name !== undefined
const read = (file, app) => app.reads(buffer(file), file.field)

async function filesOf (parts) {
  const files = []
  for await (const part of parts) if (isFile(part)) files.push(part)
  return files
}

async function readEach (parts, app, act = () => {}) {
  for await (const part of parts) {
    if (!isFile(part)) continue
    act()
    await read(part, app)
  }
}

/** @type {Record<string, import('./streams').Act>} */
module.exports = {
  ...iterators('file', 2), // a field comes before the first file
  'collect, then read': {
    async run (parts, app) {
      for (const file of await filesOf(parts)) await read(file, app)
    }
  },
  'collect, then read at once': {
    run: (parts, app) => filesOf(parts).then((files) => Promise.all(files.map((file) => read(file, app))))
  },
  'read without waiting': {
    async run (parts, app) {
      for await (const part of parts) if (isFile(part)) read(part, app)
    }
  },
  'next() seven times at once': {
    async run (parts, app) {
      const iterator = parts[Symbol.asyncIterator]()
      const results = await Promise.all(Array.from({ length: 7 }, () => iterator.next()))
      const files = results.filter(({ done, value }) => !done && isFile(value)).map(({ value }) => value)
      for (const file of files) await read(file, app)
    }
  },
  'file, break, read': {
    async run (parts, app) {
      let file
      for await (file of parts) if (isFile(file)) break
      if (file !== undefined && isFile(file)) await read(file, app)
    }
  },
  'answer, read all': {
    run (parts, app) {
      app.answer()
      return readEach(parts, app)
    }
  },
  'file, answer, read all': {
    reads: true,
    answers: true,
    run: (parts, app) => readEach(parts, app, () => app.answer())
  }
}
