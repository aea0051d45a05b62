'use strict'

// Requests that other code reads, pipes or pauses, too.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const { setTimeout: delay } = require('node:timers/promises')
const subject = require('fast-body-parser')
const HANG_TIME = require('../support/hang-time')
const { table } = require('../support/table')

const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('shared requests', () => {
  describe('are parsed like with body-parser if other code has read', () => {
    const after = (read) => (bodyParser) => (req, res, next) => read(req, () => bodyParser.json()(req, res, next))
    const first = after((req, go) => req.once('data', () => {
      req.pause()
      setImmediate(() => {
        req.resume()
        go()
      })
    }))
    const some = after((req, go) => req.once('readable', () => {
      req.read(3)
      go()
    }))
    const message = {
      headers: JSON_TYPE,
      body: '{"a":1}',
      arrivals: ['halves'],
      ignore: ['complete', 'ended', 'error']
    }
    const all = after((req, go) => req.once('data', go))
    const toItsEnd = after((req, go) => req.on('end', go).resume())
    const inLoop = after((req, go) => req.toArray().then(go))
    const invalid = { error: { type: 'request.size.invalid', status: 400 } }
    const unparsed = { error: { type: 'entity.parse.failed', status: 400 } }
    const cut = { error: { type: 'request.size.invalid', received: 4 } }
    const skipped = { body: undefined }
    table([
      { it: 'the first piece', make: first, ...message, expect: invalid },
      { it: 'the first piece, in chunks', make: first, ...message, chunked: true, expect: unparsed },
      { it: 'the first bytes', make: some, ...message, arrivals: ['afterwards'], expect: cut },
      { it: 'everything, without its end', make: all, ...message, arrivals: ['afterwards'] },
      { it: 'everything, to its end: skipped', make: toItsEnd, ...message, expect: skipped },
      { it: 'everything in a loop: skipped', make: inLoop, ...message, expect: skipped }
    ])
  })

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
