'use strict'

// Requests whose body is a stream, and may have no bytes: a proxy has sent them
// in chunks.

const assert = require('node:assert/strict')
const http = require('node:http')
const net = require('node:net')
const { Readable } = require('node:stream')
const { text: consume } = require('node:stream/consumers')
const web = require('fast-body-parser/web')
const { servesRequests } = require('../../lib/web/node')
const { listen } = require('../../tools/local-server')
const countAlive = require('../support/count-alive')
const { collect } = require('../support/loop')
const schemaOf = require('../support/schema-of')
const { post, streamOf } = require('../support/web-request')
const { cloning } = require('../support/where')

const schema = schemaOf((value) => ({ value: value ?? 'nothing' }))
/** Of what is not of their type: what they give without content. */
const readers = {
  'json({ schema })': [web.json({ schema }), 'nothing'],
  ndjson: [async (request) => collect(web.ndjson()(request)), []]
}

const requestOf = (chunks, headers) => post(streamOf(chunks.map((chunk) => new TextEncoder().encode(chunk))), headers)

for (const [name, [read, nothing]] of Object.entries(readers)) {
  describe(`${name} of web, for a request of undeclared length`, () => {
    for (const headers of [{}, { 'content-type': 'text/xml' }, { 'transfer-encoding': 'chunked' }]) {
      it(`passes one without content, with ${JSON.stringify(headers)}`, async () => {
        for (const chunks of [[], ['']]) assert.deepEqual(await read(requestOf(chunks, headers)), nothing)
      })

      it(`refuses content, which stays to be read, with ${JSON.stringify(headers)}`, async () => {
        const request = requestOf(['', '<a', '/>'], headers)
        await assert.rejects(read(request), { status: 415, type: 'media.type.unsupported' })
        assert.equal(await request.text(), '<a/>')
      })
    }

    it('passes one that declares a length of 0, whatever its body is', async () => {
      assert.deepEqual(await read(requestOf([], { 'content-length': '0', 'content-type': 'text/xml' })), nothing)
    })

    it('refuses what declares a length, or is being read by others', async () => {
      await assert.rejects(read(requestOf([], { 'content-length': '5' })), { status: 415 })
      const request = requestOf(['x'])
      request.body.getReader()
      await assert.rejects(read(request), { status: 415 })
    })
  })
}

describe('content that is refused, and stays to be read,', () => {
  cloning.it('is not kept in memory while it is read afterwards', async () => {
    const refs = []
    let pulled = 0
    const body = new ReadableStream({
      pull (controller) {
        if (pulled++ === 20) return controller.close()
        const chunk = new Uint8Array(1000)
        refs.push(new WeakRef(chunk))
        controller.enqueue(chunk)
      }
    }, { highWaterMark: 0 })
    const request = post(body)
    await assert.rejects(web.json({ schema })(request), { status: 415 })
    const reader = request.body.getReader()
    for (let count = 0; count < 15; count++) assert.equal((await reader.read()).value.length, 1000)
    const kept = await countAlive(refs)
    assert.ok(kept < 5, `${kept} chunks are kept`)
    for (let count = 0; count < 5; count++) assert.equal((await reader.read()).value.length, 1000)
    assert.equal((await reader.read()).done, true)
  })
})

/** As those of srvx, which make a stream of Node's message once somebody asks for it. */
class Lazy {
  constructor (req, res) {
    this.runtime = { name: 'node', node: { req, res } }
    this.method = req.method
    this.headers = new Headers(req.headers)
  }

  get #whole () {
    const { req } = this.runtime.node
    this.made ??= new Request('http://test', { method: 'POST', body: Readable.toWeb(req), duplex: 'half' })
    return this.made
  }

  get body () { return this.#whole.body }
  get bodyUsed () { return this.#whole.bodyUsed }
  get signal () { return this.#whole.signal }
  text () { return this.#whole.text() }
  clone () { return this.#whole.clone() }
}

const ofNode = servesRequests ? describe.skip : describe // Bun and Deno read what their own servers have parsed

ofNode('content of undeclared length that is refused unread', () => {
  const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n'

  /** @returns {Promise<string>} what a connection gets that sends a body in chunks, and another request behind it */
  async function statusesOf (read, body) {
    const server = http.createServer((req, res) => {
      if (req.method === 'GET') return res.end()
      read(new Lazy(req, res)).then(() => 200, ({ status }) => status).then((status) => res.writeHead(status).end())
    })
    const socket = net.connect(await listen(server), '127.0.0.1')
    socket.write(HEAD + `${body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n` +
      'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    const received = await consume(socket)
    server.close()
    return received.match(/(?<=HTTP\/1.1 )\d+/g).join()
  }

  for (const [name, read] of [
    ['schema', web.json({ schema })],
    ['firstOf', web.firstOf(web.json())],
    ['schema of a form', web.multipart({ schema })]
  ]) {
    for (const size of [0, 1000, 300_000]) {
      it(`leaves its connection to the next request: ${size} bytes, ${name}`, async () => {
        assert.equal(await statusesOf(read, 'x'.repeat(size)), `${size === 0 ? 200 : 415},200`)
      })
    }
  }

  for (const [what, options, leave, type] of [
    ['its timeout', { timeout: 20 }, () => {}, 'request.timeout'],
    ['its client stays', {}, (socket) => socket.destroy(), 'request.aborted']
  ]) {
    it(`is awaited no longer than ${what}`, async () => {
      const server = http.createServer()
      const told = new Promise((resolve) => {
        server.on('request', (req, res) => {
          web.json({ schema, ...options })(new Lazy(req, res)).catch(resolve)
          leave(socket)
        })
      })
      const socket = net.connect(await listen(server), '127.0.0.1')
      socket.write(HEAD)
      assert.equal((await told).type, type)
      socket.destroy()
      server.close()
    })
  }

  it('stays to be read', async () => {
    let text
    const read = (request) => web.json({ schema })(request).catch(async (error) => {
      text = await request.text()
      throw error
    })
    assert.equal(await statusesOf(read, '<a/>'), '415,200')
    assert.equal(text, '<a/>')
  })
})
