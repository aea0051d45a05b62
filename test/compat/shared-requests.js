'use strict'

// Requests that other code reads, pipes or pauses, too.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const { Writable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
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
    table([
      { it: 'the first piece',
        make: first,
        ...message,
        expect: {
          error: { type: 'request.size.invalid', status: 400 }
        } },
      { it: 'the first piece, in chunks',
        make: first,
        ...message,
        chunked: true,
        expect: {
          error: { type: 'entity.parse.failed', status: 400 }
        } },
      { it: 'the first bytes',
        make: some,
        ...message,
        arrivals: ['afterwards'],
        expect: {
          error: { type: 'request.size.invalid', received: 4 }
        } },
      { it: 'everything, without its end',
        make: after((req,
          go) => req.once('data', go)),
        ...message,
        arrivals: ['afterwards'] },
      { it: 'everything, to its end: skipped',
        make: after((req,
          go) => req.on('end', go).resume()),
        ...message,
        expect: { body: undefined } },
      { it: 'everything in a loop: skipped',
        make: after((req, go) => req.toArray().then(go)),
        ...message,
        expect: {
          body: undefined
        } }
    ])
  })

  it('are drained although a slow destination is piped to', async () => {
    const body = 'x'.repeat(500_000)
    const server = http.createServer((req, res) => {
      req.pipe(new Writable({ write () {} })) // never finishes
      subject.text({ limit: 1000 })(req, res, (error) => {
        res.statusCode = error.status
        res.end()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const answer = fetch(`http://127.0.0.1:${server.address().port}/`, { method: 'POST', body })
    const res = await Promise.race([answer, delay(HANG_TIME, { status: 'hangs' }, { ref: false })])
    assert.equal(res.status, 413)
    server.close()
    server.closeAllConnections()
  })

  it('are read whole by two readers at once', async () => {
    const readers = {
      'a second parser': (req, res,
        resolve) => subject.raw({ type: '*/*' })(req, res, (error) => resolve(error?.message ?? String(req.body))),
      'a loop over the request': async (req, res, resolve) => {
        const chunks = []
        for await (const chunk of req) chunks.push(chunk)
        resolve(String(Buffer.concat(chunks)))
      }
    }
    for (const read of Object.values(readers)) {
      const seen = []
      const server = http.createServer(async (req, res) => {
        await Promise.all([
          new Promise((resolve) =>
            subject.json()(req, res, (error) => resolve(seen.push(error?.message ?? JSON.stringify(req.body))))),
          new Promise((resolve) => read(req, res, resolve)).then((value) => seen.push(value))
        ])
        res.end()
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      await fetch(`http://127.0.0.1:${server.address().port}/`,
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' })
      assert.deepEqual(seen, ['{"a":1}', '{"a":1}'])
      server.close()
      server.closeAllConnections()
    }
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

  it('are read although they were paused before', async () => {
    const server = http.createServer((req, res) => {
      req.pause()
      subject.json()(req, res, (error) => res.end(JSON.stringify(error ?? req.body)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    for (const headers of [{}, { 'content-encoding': 'gzip' }, { 'transfer-encoding': 'chunked' }]) {
      const body = headers['content-encoding'] ? zlib.gzipSync('{"a":1}') : Buffer.from('{"a":1}')
      const lines = Object.entries({
        'content-type': 'application/json',
        ...(headers['transfer-encoding'] ? {} : { 'content-length': body.length }),
        ...headers
      })
      const req = http.request({
        port: server.address().port,
        host: '127.0.0.1',
        method: 'POST',
        headers: Object.fromEntries(lines)
      })
      req.flushHeaders()
      setTimeout(() => req.end(body), 10)
      const [res] = await once(req, 'response')
      assert.equal(String(await res.toArray()), '{"a":1}')
    }
    server.close()
    server.closeAllConnections()
  })
})
