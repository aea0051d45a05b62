'use strict'

// What a client sends by itself, to an Express app on each of the two packages.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const express = require('express')
const oracle = require('body-parser')
const subject = require('../../..')

const SHOWN = ['content-type', 'content-encoding', 'content-length', 'transfer-encoding', 'expect']

/** Tells what came: of the request, what the client chose; the body; the error. */
function createApp (bodyParser) {
  const app = express()
  app.use(bodyParser.json({ limit: '100kb' }))
  app.use(bodyParser.urlencoded({ extended: true, limit: '100kb' }))
  app.use(bodyParser.text({ type: 'text/*', limit: '2mb' }))
  app.use(bodyParser.raw({ type: ['bin', 'image/*'], limit: '2mb' }))
  app.use((req, res) => {
    const bytes = Buffer.isBuffer(req.body)
    const body = bytes ? { bytes: req.body.length > 100 ? req.body.length : req.body.toString('hex') } : req.body
    res.json({
      ...seen(req),
      has: req.body !== undefined,
      body: typeof body === 'string' && body.length > 100 ? body.length : body
    })
  })
  app.use((error, req, res, next) =>
    res.status(error.status).json({ ...seen(req), type: error.type, message: error.message }))
  return app
}

function seen (req) {
  const headers = {}
  for (const name of SHOWN) {
    // A boundary is random.
    if (req.headers[name] !== undefined) headers[name] = req.headers[name].replace(/(boundary=).*/, '$1')
  }
  return { method: req.method, headers }
}

/**
 * Describes a client by a table of what it is made to send.
 *
 * @param {string} name
 * @param {Record<string, { send: (url: string) => Promise<object | object[]>, expect: object | object[], connections?:
 * number }>} rows
 *   `send` gives the answer, or a list of them; `expect` has some of its
 *   fields; `connections` is how many the client may need
 * @param {() => Promise<unknown>} [find] throws if the client is not on this
 *   machine
 */
function client (name, rows, find) {
  describe(`client ${name}`, () => {
    const servers = [subject, oracle].map((bodyParser) => http.createServer(createApp(bodyParser)))
    const counts = servers.map(() => 0)

    before(async function () {
      for (const [i, server] of servers.entries()) {
        server.on('connection', () => { counts[i]++ })
        server.listen(0, '127.0.0.1')
        await once(server, 'listening')
      }
      try {
        await find?.()
      } catch (error) {
        console.log(`      ${name} is not on this machine: ${error.message.split('\n')[0]}`)
        this.skip()
      }
    })

    after(() => {
      for (const server of servers) server.close()
      for (const server of servers) server.closeAllConnections()
    })

    for (const [what, { send, expect, connections }] of Object.entries(rows)) {
      it(what, async () => {
        counts.fill(0)
        const [ours, theirs] = await Promise.all(servers.map((server) =>
          send(`http://127.0.0.1:${server.address().port}/`)))
        check(ours, expect)
        assert.deepEqual(ours, theirs)
        if (connections !== undefined) assert.deepEqual(counts, [connections, connections])
      })
    }
  })
}

function check (answer, expect) {
  if (Array.isArray(expect)) {
    assert.equal(answer.length, expect.length)
    for (const [i, part] of expect.entries()) check(answer[i], part)
    return
  }
  for (const [field, value] of Object.entries(expect)) {
    if (field === 'headers') check(answer.headers, value)
    else assert.deepEqual(answer[field], value, `${field} of ${JSON.stringify(answer)}`)
  }
}

module.exports = client
