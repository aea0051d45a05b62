'use strict'

// Requests that other code reads, pipes or pauses, too.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const { setTimeout: delay } = require('node:timers/promises')
const subject = require('fast-body-parser')
const HANG_TIME = require('../support/hang-time')

const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('shared requests', () => {
  it('are read to their end although a loop over records comes too late', async () => {
    const others = {
      json: (req, res, done) => subject.json()(req, res, () => done(req.body)),
      'a listener': (req, res, done) => req.on('data', () => {}).on('end', () => done('ended'))
    }
    for (const [what, read] of Object.entries(others)) {
      for (const name of ['ndjson', 'jsonArray']) {
        const server = http.createServer()
        server.listen(0, '127.0.0.1')
        await once(server, 'listening')
        const options = { method: 'POST', headers: JSON_TYPE, body: '{"a":1}' }
        fetch(`http://127.0.0.1:${server.address().port}/`, options).catch(() => {})
        const [req, res] = await once(server, 'request')
        const readByOther = new Promise((resolve) => read(req, res, resolve))
        await once(req, 'data')
        const records = await subject[name]({ type: () => true }).read(req, res)
        await assert.rejects(records[Symbol.asyncIterator]().next(), { type: 'stream.not.readable' })
        const outcome = await Promise.race([readByOther, delay(HANG_TIME, 'hangs', { ref: false })])
        server.close()
        server.closeAllConnections()
        assert.notEqual(outcome, 'hangs', `${what}, ${name}`)
      }
    }
  })
})
