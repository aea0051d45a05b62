'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { Readable } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const { listen, stop } = require('../../../tools/local-server')
const Clock = require('../../support/clock')
const schemaOf = require('../../support/schema-of')

const HEAD = 'POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n'
const TIMEOUT = 60_000 // ms

describe('options timeout and minRate', () => {
  let clock
  let server = null
  let seen

  /** A parser, for which the time of the test passes. */
  const create = (make) => clock.load(() => make(require('fast-body-parser')))

  async function serve (make) {
    const parser = create(make)
    server = http.createServer((req, res) => parser(req, res, (error) => {
      seen.push(error)
      res.statusCode = error?.status ?? 200
      res.end('done')
    }))
    await listen(server)
  }

  beforeEach(() => {
    clock = new Clock()
    seen = []
  })

  afterEach(() => {
    if (server !== null) stop(server)
    server = null
  })

  /** What the client gets that sends this, and nothing more until the time is over. */
  async function send (request) {
    const socket = net.connect(server.address().port, '127.0.0.1').setEncoding('latin1')
    socket.write(request)
    const [peer] = await once(server, 'connection')
    while (peer.bytesRead < request.length || clock.waits.length === 0) await turn()
    clock.pass(TIMEOUT)
    return (await socket.toArray()).join('')
  }

  it('answer 408 request.timeout and close the connection when the body takes longer than timeout', async () => {
    await serve(({ json }) => json({ timeout: TIMEOUT }))
    const text = await send(`${HEAD}{"a"`)
    assert.match(text, /^HTTP\/1\.1 408 /)
    assert.match(text, /\r\nConnection: close\r\n/)
    const [{ status, type, received, expose, message }] = seen
    assert.deepEqual({ status, type, received, expose, message },
      { status: 408, type: 'request.timeout', received: 4, expose: true, message: 'request timeout' })
    assert.equal(seen.length, 1)
  })

  it('close the connection of a client whose body is refused, and never ends', async () => {
    await serve(({ createBudget, json }) =>
      json({ timeout: TIMEOUT, limit: 5, budget: createBudget({ bytes: '1mb' }) }))
    const text = await send(`${HEAD}{"a"`)
    assert.match(text, /^HTTP\/1\.1 413 /)
    assert.match(text, /\r\nConnection: close\r\n/)
    assert.deepEqual(seen.map(({ type }) => type), ['entity.too.large'])
  })

  it('let a body in time pass, although verify takes longer than minRate allows', async () => {
    const verify = async () => clock.pass(TIMEOUT - 1)
    await serve(({ json }) => json({ timeout: TIMEOUT, minRate: '1kb', verify }))
    const res = await fetch(`http://127.0.0.1:${server.address().port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}'
    })
    assert.equal(res.status, 200)
    assert.deepEqual(seen, [undefined])
  })

  it('end a request without a connection when verify takes longer than timeout', async () => {
    const calls = []
    const verify = () => new Promise(() => calls.push('verify'))
    const parser = create(({ json }) => json({ buffered: true, timeout: TIMEOUT, verify }))
    for (const fields of [{}, { complete: true }]) {
      const req = { headers: { 'content-type': 'application/json' }, body: '{"a":1}', ...fields }
      const ended = new Promise((resolve) => parser(req, {}, resolve))
      while (calls.length === 0) await turn()
      calls.pop()
      clock.pass(TIMEOUT)
      assert.equal((await ended).type, 'request.timeout')
    }
  })

  it('leave no timer behind', async () => {
    const parser = create(({ json }) => json({ timeout: TIMEOUT, minRate: 1 }))
    for (const body of ['{"a":1}', '{"a":1', '{"a":12345}']) {
      const req = Object.assign(Readable.from([Buffer.from(body)]), {
        headers: { 'content-type': 'application/json', 'content-length': '7' }
      })
      const ended = new Promise((resolve) => parser(req, {}, resolve))
      assert.equal(clock.waits.length, 1)
      await ended
      assert.deepEqual(clock.waits, [])
    }
  })

  const readJson = (options, req) => create(({ json }) => json(options)).read(req, {})
  const readFirst = async (options, req) => {
    const records = await create(({ ndjson }) => ndjson({ ...options, buffered: true })).read(req, {})
    return (await records[Symbol.asyncIterator]().next()).value
  }
  for (const [what, read, req] of [
    ['without a body', readJson, { headers: {} }],
    ['with an empty body of another type', readJson,
      { headers: { 'content-length': '0', 'content-type': 'text/plain' } }],
    ['whose records other code has read', readFirst,
      { headers: { 'content-type': 'application/x-ndjson' }, body: '[1]\n[2]\n' }]
  ]) {
    it(`do not count in minRate what a schema takes, for a request ${what}`, async () => {
      const checks = [] // that are not settled
      const schema = schemaOf(() => new Promise((resolve) => checks.push(resolve)))
      const value = read({ schema, minRate: 100 }, req)
      while (checks.length === 0) await turn()
      assert.ok(clock.waits.length > 0)
      clock.pass(60_000)
      checks[0]({ value: 'checked' })
      assert.equal(await value, 'checked')
    })
  }
})

describe('Deadline', () => {
  let clock
  let given // what the exchange is ended with
  let exchange
  let begin

  beforeEach(() => {
    clock = new Clock()
    const Deadline = clock.load(() => require('../../../lib/core/lifetime/deadline'))
    given = []
    exchange = {
      failStep: ({ type }, mustClose) => {
        if (exchange.onAbort === null) return false
        given.push([clock.now, type, mustClose, exchange.onAbort])
        return true
      },
      awaitsBody: true,
      received: 0,
      waited: 0,
      waitsSince: null
    }
    begin = (timeout, minRate, fields) => {
      Object.assign(exchange, fields)
      return new Deadline(exchange, timeout, minRate)
    }
  })

  /** Whether the exchange has been ended by this time. */
  function isOverAt (time) {
    clock.pass(time - clock.now)
    return given.length > 0
  }

  it('does not count the time that the client has to wait for the app', () => {
    begin(Infinity, 10, { received: 10 })
    clock.pass(1000)
    exchange.waitsSince = 1000
    assert.equal(isOverAt(99_000), false)
    Object.assign(exchange, { waited: 98_000, waitsSince: null })
    assert.equal(isOverAt(6000 + 97_999), false)
    assert.equal(isOverAt(6000 + 98_000), true)
  })

  it('counts what is drained after an error', () => {
    begin(Infinity, 10, { received: 10 }).countDrained(10)
    assert.equal(isOverAt(6999), false)
    assert.equal(isOverAt(7000), true)
  })

  for (const [what, timeout, minRate, received, time, isOver] of [
    ['nothing within the grace of five seconds', Infinity, 10, 0, 4999, false],
    ['nothing after the grace', Infinity, 10, 0, 5000, true],
    ['ten bytes at ten bytes a second', Infinity, 10, 10, 5999, false],
    ['ten bytes at ten bytes a second, a second later', Infinity, 10, 10, 6000, true],
    ['bytes enough, but more time than timeout', 100, 10, 1e6, 100, true],
    ['bytes enough within the timeout', 100, 10, 1e6, 99, false],
    ['nothing within the timeout, without a rate', 100, 0, 0, 99, false],
    ['nothing after the timeout, without a rate', 100, 0, 0, 100, true]
  ]) {
    it(`${isOver ? 'refuses' : 'accepts'} ${what}`, () => {
      begin(timeout, minRate, { received })
      assert.equal(isOverAt(time), isOver)
      if (isOver) assert.deepEqual(given, [[time, 'request.timeout', true, undefined]])
    })
  }

  it('ends a body in time whose client waits for the app', () => {
    begin(100, 0, { waitsSince: 0 })
    assert.equal(isOverAt(99), false)
    assert.equal(isOverAt(100), true)
  })

  it('looks once more when its timer is early by a part of a millisecond', () => {
    const deadline = begin(100, 0, { waitsSince: 0 })
    deadline.timer.cancel()
    clock.now = 99.5
    deadline.check()
    assert.equal(isOverAt(99.9), false)
    assert.equal(isOverAt(100.5), true)
  })

  it('ends the next step when it finds one that cannot be ended', () => {
    begin(10, 0, { awaitsBody: false, onAbort: null, received: 5 })
    assert.equal(isOverAt(10), false)
    exchange.onAbort = 'next step'
    assert.equal(isOverAt(1009), false)
    assert.equal(isOverAt(1010), true)
    assert.deepEqual(given, [[1010, 'request.timeout', true, 'next step']])
  })

  it('has a timer until the exchange is over, also while the rest is drained', () => {
    const deadline = begin(1e6, 0)
    deadline.countDrained(1)
    assert.deepEqual(clock.waits, [1e6])
    deadline.release()
    assert.deepEqual(clock.waits, [])
  })

  it('looks when the time is over, without minRate, and after the longest time that a timer can take', () => {
    begin(60_000, 0).release()
    assert.deepEqual(clock.waits, [])
    begin(2 ** 40, 0)
    assert.deepEqual(clock.waits, [2 ** 31 - 1])
  })

  it('looks when what has been received lasts no longer, and once in a second while the client waits', () => {
    begin(60_000, 100)
    assert.deepEqual(clock.waits, [5000])
    exchange.received = 10
    for (const [passed, waitsSince, wait] of [[5000, null, 100], [100, 5050, 1000], [54_000, 5050, 900]]) {
      exchange.waitsSince = waitsSince
      clock.pass(passed)
      assert.deepEqual(clock.waits, [wait])
    }
  })
})
