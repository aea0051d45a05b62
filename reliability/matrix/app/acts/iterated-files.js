'use strict'

// What an app does with a file that is an async iterable with `peek`, be it a stream of Node.js (./streams.js) or a
// file of /web (./web-streams.js).

const transferAll = require('../../../../test/support/transfer')
const reading = require('./reading')
const settlements = require('./settlements')

const never = () => new Promise(() => {})

async function collect (iterable) {
  const chunks = []
  for await (const chunk of iterable) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** @type {Record<string, import('./streams').Act | import('./streams').Act['run']>} */
const acts = {
  ...reading({ 'for await, transfer': transferAll }),
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
  async 'peek, return' (file, app) { app.sees(await file.peek(100)) }
}

module.exports = { acts, collect, never }
