'use strict'

// What an app does with the parts of a form as a whole.

const { collect } = require('./common')
const iterators = require('./iterators')

const isFile = (part) => part.name !== undefined
const read = (file, app) => app.reads(collect(file), file.field)

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

/** @type {typeof import('./streams')} */
module.exports = {
  ...iterators('file', 2), // a field comes before the first file
  async 'collect, then read' (parts, app) {
    for (const file of await filesOf(parts)) await read(file, app)
  },
  async 'collect, then read at once' (parts, app) {
    await Promise.all((await filesOf(parts)).map((file) => read(file, app)))
  },
  async 'read without waiting' (parts, app) {
    for await (const part of parts) if (isFile(part)) read(part, app)
  },
  async 'next() seven times at once' (parts, app) {
    const iterator = parts[Symbol.asyncIterator]()
    const results = await Promise.all(Array.from({ length: 7 }, () => iterator.next()))
    for (const { done, value } of results) if (!done && isFile(value)) await read(value, app)
  },
  async 'file, break, read' (parts, app) {
    let file
    for await (file of parts) if (isFile(file)) break
    if (file !== undefined && isFile(file)) await read(file, app)
  },
  'answer, read all' (parts, app) {
    app.answer()
    return readEach(parts, app)
  },
  'file, answer, read all': {
    reads: true,
    answers: true,
    run: (parts, app) => readEach(parts, app, () => app.answer())
  }
}
