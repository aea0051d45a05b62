'use strict'

// An Express app on each of the two packages, asked by the clients that Node
// brings: the answers must be the same, header by header.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const { once } = require('node:events')
const http = require('node:http')
const { promisify } = require('node:util')
const zlib = require('node:zlib')
const express = require('express')
const oracle = require('body-parser')
const subject = require('fast-body-parser')

function createApp (bodyParser) {
  const app = express()
  app.disable('x-powered-by')
  app.use(bodyParser.json({ limit: '10kb' }))
  app.use(bodyParser.urlencoded({ extended: true }))
  app.use(bodyParser.text({ type: 'text/*' }))
  app.use(bodyParser.raw({ type: ['bin', 'image/*'] }))
  app.use((req, res) => res.json({ bytes: Buffer.isBuffer(req.body), has: 'body' in req, body: req.body }))
  app.use((error, req, res, next) => {
    const { stack, ...fields } = error
    res.status(error.status).json({ ...fields, message: error.message, name: error.name, expose: error.expose })
  })
  return http.createServer(app)
}

const object = { name: '論 é', list: [1, 2, { a: null }] }
const text = JSON.stringify(object)
const type = 'application/json'

/** Requests for fetch. */
const requests = {
  'JSON from fetch': { headers: { 'content-type': type }, body: text },
  'JSON from a stream, chunked': {
    headers: { 'content-type': type },
    body: new Blob([text]).stream(),
    duplex: 'half',
    once: true
  },
  URLSearchParams: { body: new URLSearchParams([['a[b]', '1 é'], ['a[c]', '2'], ['d', '&=']]) },
  'a plain string': { body: 'text é' },
  'a Blob of an image': { body: new Blob([Uint8Array.of(1, 2, 255)], { type: 'image/png' }) },
  'FormData, which no parser takes': { body: 'form', multipart: true },
  'gzip JSON': { headers: { 'content-type': type, 'content-encoding': 'gzip' }, body: zlib.gzipSync(text) },
  'broken JSON': { headers: { 'content-type': type }, body: text.slice(1) },
  'too large JSON': { headers: { 'content-type': type }, body: JSON.stringify('x'.repeat(20_000)) },
  'a wrong charset': { headers: { 'content-type': `${type}; charset=koi8-r` }, body: text },
  'no body': { method: 'GET' },
  'an empty body': {}
}

describe('Express', () => {
  const servers = [subject, oracle].map(createApp)
  const url = (server) => `http://127.0.0.1:${server.address().port}/`

  before(async () => {
    for (const server of servers) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    }
  })

  after(() => {
    for (const server of servers) server.closeAllConnections()
    for (const server of servers) server.close()
  })

  async function ask (server, { once: single, multipart, ...init }) {
    if (single) init.body = new Blob([text]).stream()
    if (multipart) {
      init.body = new FormData()
      init.body.set('a', 'b')
    }
    const res = await fetch(url(server), { method: 'POST', ...init })
    return { status: res.status, answer: await res.json() }
  }

  for (const [what, init] of Object.entries(requests)) {
    it(`answers ${what} like with body-parser`, async () => {
      const [ours, theirs] = [await ask(servers[0], init), await ask(servers[1], init)]
      assert.equal(typeof ours.answer, 'object')
      assert.deepEqual(ours, theirs)
    })
  }

  it('answers many requests at once', async () => {
    const bodies = Array.from({ length: 200 }, (_, i) => ({ i, fill: 'x'.repeat(i * 40) }))
    const answers = await Promise.all(bodies.map((body) => ask(servers[0],
      { headers: { 'content-type': type }, body: JSON.stringify(body) })))
    for (const [i, { answer }] of answers.entries()) assert.deepEqual(answer.body, bodies[i])
  })

  it('answers curl', async function () {
    const curl = (...args) => promisify(execFile)('curl', ['-s', ...args])
    const argsOf = [
      ['-H', 'Content-Type: application/json', '-d', text], ['-d', 'a[b]=1&a[c]=2'],
      ['-H', 'Content-Type: application/json', '-H', 'Transfer-Encoding: chunked', '-d', text],
      ['-H', 'Content-Type: application/json', '-H', 'Expect: 100-continue', '-d',
        JSON.stringify({ a: 'x'.repeat(9000) })], ['-X', 'DELETE']
    ]
    for (const args of argsOf) {
      const [ours,
        theirs] = await Promise.all(servers.map((server) => curl(url(server), ...args).catch((error) => error)))
      if (ours.code === 'ENOENT') this.skip() // no curl here
      assert.ok(ours.stdout.length > 0)
      assert.equal(ours.stdout, theirs.stdout)
    }
  })
})
