'use strict'

// Requests that other code reads, too.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const { PassThrough } = require('node:stream')
const subject = require('fast-body-parser')

const HEADERS = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }

describe('shared requests', () => {
  for (const name of ['ndjson', 'jsonArray']) {
    it(`are read to their end by json although a loop over records comes too late: ${name}`, async () => {
      const req = Object.assign(new PassThrough(), { headers: HEADERS })
      const readByOther = new Promise((resolve) => subject.json()(req, {}, () => resolve(req.body)))
      setImmediate(() => req.write('{"a"'))
      await once(req, 'data')
      const records = await subject[name]({ type: () => true }).read(req, {})
      await assert.rejects(records[Symbol.asyncIterator]().next(), { type: 'stream.not.readable' })
      req.end(':1}')
      assert.deepEqual(await readByOther, { a: 1 })
    })
  }
})
