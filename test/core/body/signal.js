'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const net = require('node:net')
const { createBudget, createParser, json, urlencoded } = require('fast-body-parser')
const { listen } = require('../../../tools/local-server')
const { createStorage } = require('../../support/async-storage')
const until = require('../../support/until')

const BODIES = { json: '{"a":1}', form: 'a=1', text: 'a' }
const TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded', text: 'text/plain' }
const forever = () => new Promise(() => {})

/** A parser whose function of the app's promises what is never settled, and tells its signal. */
const PARSERS = {
  'parse of json': ['json', (tell, options) => json({ ...options, parse: (text, { signal }) => tell(signal) })],
  'parse of createParser': [
    'text',
    (tell, options) => createParser({ ...options, type: 'text/plain', parse: (text, { signal }) => tell(signal) })
  ],
  verify: [
    'json', (tell, options) => json({ ...options, verify: (req, res, bytes, charset, { signal }) => tell(signal) })
  ],
  schema: [
    'json', (tell, options) => json({ ...options, schema: { '~standard': { validate: () => tell(undefined) } } })
  ],
  'schema, for a body that another parser has read': ['form', (tell, options) => {
    const [first, second] = [
      urlencoded(),
      json({ ...options, schema: { '~standard': { validate: () => tell(undefined) } } })
    ]
    return (req, res, next) => first(req, res, () => second(req, res, next))
  }]
}

describe('a promise of the app that is never settled', () => {
  const storage = createStorage()
  let server
  let signals
  let contexts // of listeners of the signals
  let calls

  afterEach(() => server.close())

  function listenTo (createServer, parser) {
    signals = []
    contexts = []
    calls = []
    server = createServer((req, res) => {
      storage.run('context', () => parser(req, res, (error) => {
        calls.push([error?.type, storage.getStore()])
        res.statusCode = error?.status ?? 200
        res.end()
      }))
    })
    return listen(server)
  }

  const tell = (signal) => {
    signals.push(signal)
    signal?.addEventListener('abort', () => contexts.push(storage.getStore()))
    return forever()
  }

  for (const [what, [type, create]] of Object.entries(PARSERS)) {
    const head = 'POST / HTTP/1.1\r\nHost: test\r\n' +
      `Content-Type: ${TYPES[type]}\r\nContent-Length: ${BODIES[type].length}\r\n\r\n`

    function check (expected, budget) {
      assert.deepEqual([calls, budget.used, budget.holding.size], [[[expected, 'context']], 0, 0])
      for (const signal of signals) {
        if (signal !== undefined) assert.deepEqual([signal.aborted, signal.reason.type], [true, expected])
      }
      assert.equal(signals.length, 1)
      assert.deepEqual(contexts, signals[0] === undefined ? [] : ['context'])
    }

    it(`of ${what} ends with the deadline`, async () => {
      const budget = createBudget({ bytes: 1000 })
      await listenTo(http.createServer, create(tell, { budget, timeout: 50 }))
      const socket = net.connect(server.address().port, '127.0.0.1').setEncoding('latin1')
      socket.write(head + BODIES[type])
      const [answer] = await once(socket, 'data')
      assert.match(answer, /^HTTP\/1\.1 408 /)
      check('request.timeout', budget)
      socket.destroy()
    })

    it(`of ${what} ends when the client leaves`, async () => {
      const budget = createBudget({ bytes: 1000 })
      await listenTo(http.createServer, create(tell, { budget }))
      const socket = net.connect(server.address().port, '127.0.0.1')
      socket.write(head + BODIES[type])
      await until(() => signals.length === 1)
      socket.destroy()
      await until(() => calls.length > 0)
      check('request.aborted', budget)
    })

    it(`of ${what} ends when the client resets its stream of HTTP/2`, async () => {
      const budget = createBudget({ bytes: 1000 })
      await listenTo(http2.createServer, create(tell, { budget }))
      const client = http2.connect(`http://127.0.0.1:${server.address().port}`)
      const stream = client.request({ ':method': 'POST', 'content-type': TYPES[type] }).on('error', () => {})
      stream.end(BODIES[type])
      await until(() => signals.length === 1)
      stream.close(http2.constants.NGHTTP2_CANCEL)
      await until(() => calls.length > 0)
      check('request.aborted', budget)
      client.destroy()
    })
  }

  it('does not give verify a fifth argument that it does not declare, as mocks may count them', async () => {
    const given = []
    await listenTo(http.createServer, json({ verify: (...args) => { given.push(args.length) } }))
    await fetch(`http://127.0.0.1:${server.address().port}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}'
    })
    assert.deepEqual(given, [4])
  })
})
