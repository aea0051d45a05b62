'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { mock } = require('node:test')
const { setTimeout: delay } = require('node:timers/promises')
const { createBudget, json, ndjson } = require('fast-body-parser')
const Deadline = require('../../../lib/core/guards/deadline')

const HEAD = 'POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n'

describe('options timeout and minRate', () => {
  let server
  let seen

  async function serve (options) {
    const parser = json(options)
    server = http.createServer((req, res) => parser(req, res, (error) => {
      seen.push(error)
      res.statusCode = error?.status ?? 200
      res.end('done')
    }))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }

  beforeEach(() => { seen = [] })

  afterEach(() => {
    server.close()
    server.closeAllConnections()
  })

  async function send (...pieces) {
    const socket = net.connect(server.address().port, '127.0.0.1')
    for (const piece of pieces) socket.write(piece)
    let text = ''
    for await (const chunk of socket) text += chunk
    return text
  }

  it('answer 408 request.timeout and close the connection when the body takes longer than timeout', async () => {
    await serve({ timeout: 50 })
    const text = await send(HEAD, '{"a"')
    assert.match(text, /^HTTP\/1\.1 408 /)
    assert.match(text, /\r\nConnection: close\r\n/)
    const [{ status, type, received, expose, message }] = seen
    assert.deepEqual({ status, type, received, expose, message },
      { status: 408, type: 'request.timeout', received: 4, expose: true, message: 'request timeout' })
    assert.equal(seen.length, 1)
  })

  it('count real time while a test fakes the clock', async () => {
    const { performance } = globalThis
    await serve({ timeout: 50 })
    globalThis.performance = { now: () => 0 }
    try {
      assert.match(await send(HEAD, '{"a"'), /^HTTP\/1\.1 408 /)
    } finally {
      globalThis.performance = performance
    }
  })

  it('answer 408 for a coded body as well', async () => {
    await serve({ timeout: 50 })
    assert.match(await send(HEAD.replace('Content-Length', 'Content-Encoding: gzip\r\nContent-Length'), 'abc'),
      /^HTTP\/1\.1 408 /)
    assert.match(await send('POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n'), /^HTTP\/1\.1 408 /)
    assert.deepEqual(seen.map(({ type }) => type), ['request.timeout', 'request.timeout'])
  })

  it('close the connection of a client whose body is refused, and never ends', async () => {
    await serve({ timeout: 50, limit: 5, budget: createBudget({ bytes: '1mb' }) })
    const text = await send(HEAD, '{"a"')
    assert.match(text, /^HTTP\/1\.1 413 /)
    assert.match(text, /\r\nConnection: close\r\n/)
    assert.deepEqual(seen.map(({ type }) => type), ['entity.too.large'])
  })

  it('let a body in time pass, although verify takes longer than minRate allows', async () => {
    await serve({ timeout: 10_000, minRate: '1kb', verify: () => new Promise((resolve) => setTimeout(resolve, 300)) })
    const res = await fetch(`http://127.0.0.1:${server.address().port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}'
    })
    assert.equal(res.status, 200)
    assert.deepEqual(seen, [undefined])
  })

  it('answer 408 and keep the connection, whose body has arrived, when verify takes longer than timeout', async () => {
    await serve({ timeout: 50, verify: () => new Promise(() => {}) })
    const text = await send(HEAD, '{"a":1}', 'GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n')
    assert.match(text, /^HTTP\/1\.1 408 /)
    assert.match(text, /\r\nConnection: keep-alive\r\n[^]*HTTP\/1\.1 200 /)
  })

  it('end a request without a connection when verify takes longer than timeout', async () => {
    const parser = json({ buffered: true, timeout: 50, verify: () => new Promise(() => {}) })
    for (const fields of [{}, { complete: true }]) {
      const req = { headers: { 'content-type': 'application/json' }, body: '{"a":1}', ...fields }
      assert.equal((await new Promise((resolve) => parser(req, {}, resolve))).type, 'request.timeout')
    }
  })

  it('leave no timer behind', async () => {
    await serve({ timeout: 60_000, minRate: 1 })
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const parser = json({ timeout: 60_000 })
    for (const body of ['{"a":1}', '{"a":1', '{"a":12345}']) {
      const req = Object.assign(require('node:stream').Readable.from([Buffer.from(body)]), {
        headers: { 'content-type': 'application/json', 'content-length': '7' }
      })
      await new Promise((resolve) => parser(req, {}, resolve))
    }
    const after = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    assert.ok(after <= before) // those of earlier tests may have ended
  })

  describe('with a clock of its own', () => {
    let now
    let given

    beforeEach(async () => {
      await serve()
      now = 0
      given = []
      mock.method(performance, 'now', () => now)
    })

    afterEach(() => mock.restoreAll())

    const exchangeOf = (received) => ({
      decoded: null,
      match: {},
      received,
      waited: 0,
      waitsSince: null,
      abort: (...args) => given.push(args)
    })

    function at (deadline, time) {
      now = time
      deadline.timer.cancel() // as if it had fired
      deadline.check()
      deadline.ended()
      return given.length > 0
    }

    it('do not count the time that the client has to wait for the app', () => {
      const exchange = exchangeOf(10)
      const deadline = new Deadline(exchange, Infinity, 10)
      exchange.waitsSince = 1000
      assert.equal(at(deadline, 99_000), false)
      Object.assign(exchange, { waited: 98_000, waitsSince: null })
      assert.equal(at(deadline, 6000 + 97_999), false)
      assert.equal(at(deadline, 6000 + 98_000), true)
    })

    it('count what is drained after an error', () => {
      const deadline = new Deadline(exchangeOf(10), Infinity, 10)
      deadline.drained(10)
      assert.equal(at(deadline, 6999), false)
      assert.equal(given.length, 0)
      assert.equal(at(deadline, 7000), true)
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
      it(`${isOver ? 'refuse' : 'accept'} ${what}`, () => {
        const deadline = new Deadline(exchangeOf(received), timeout, minRate)
        assert.equal(at(deadline, time), isOver)
        if (isOver) assert.deepEqual([given[0][0].type, given[0][1]], ['request.timeout', true])
      })
    }
  })

  describe('do not count in minRate what a schema takes', () => {
    let deadlines
    let checks // that are not settled

    before(async () => serve())

    beforeEach(() => {
      deadlines = new Set()
      mock.method(Deadline.prototype, 'schedule', function () {
        deadlines.add(this)
        return { cancel () {} }
      })
    })

    afterEach(() => mock.restoreAll())

    const schema = {
      '~standard': { version: 1, vendor: 'test', validate: () => new Promise((resolve) => checks.push(resolve)) }
    }
    const readJson = (req) => json({ schema, minRate: 100 }).read(req, {})
    const readFirst = async (req) => {
      const records = await ndjson({ buffered: true, schema, minRate: 100 }).read(req, {})
      const { value } = await records[Symbol.asyncIterator]().next()
      return value
    }

    for (const [what, read, req] of [
      ['without a body', readJson, { headers: {} }],
      ['with an empty body of another type', readJson,
        { headers: { 'content-length': '0', 'content-type': 'text/plain' } }],
      ['whose records other code has read', readFirst,
        { headers: { 'content-type': 'application/x-ndjson' }, body: '[1]\n[2]\n' }]
    ]) {
      it(`for a request ${what}`, async () => {
        checks = []
        const value = read({ ...req }).catch(({ type }) => type)
        while (checks.length === 0) await delay(1)
        assert.ok(deadlines.size > 0)
        for (const deadline of deadlines) {
          deadline.begin -= 60_000
          deadline.check()
        }
        checks[0]({ value: 'checked' })
        assert.equal(await value, 'checked')
      })
    }
  })

  describe('with a timer of their own', () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

    before(async () => serve())

    it('wait until something is due, and do not look before', async () => {
      const given = []
      const begin = performance.now()
      const deadline = new Deadline({
        decoded: null,
        received: 0,
        waited: 0,
        waitsSince: null,
        abort: () => given.push(performance.now() - begin)
      }, 100, 0)
      const check = mock.method(deadline, 'check')
      while (given.length === 0) await delay(5)
      assert.ok(given[0] >= 100, `${given[0]} ms`)
      // A timer may fire a part of a millisecond early.
      assert.ok(check.mock.callCount() <= 3, `${check.mock.callCount()} times`)
    })

    it('end a body in time whose client waits for the app', async () => {
      const given = []
      const begin = performance.now()
      const deadline = new Deadline({
        decoded: null,
        received: 0,
        waited: 0,
        waitsSince: begin,
        abort: () => given.push(performance.now() - begin)
      }, 100, 0)
      deadline.timer.cancel()
      deadline.check() // as a timer that is early by a part of a millisecond
      while (given.length === 0) await delay(5)
      assert.ok(given[0] >= 100 && given[0] < 600, `${given[0]} ms`)
    })

    it('end the next step when they find one that cannot be ended', async () => {
      const given = []
      const exchange = {
        decoded: 5,
        onAbort: null,
        received: 5,
        waited: 0,
        waitsSince: null,
        abort: ({ type }) => given.push([type, exchange.onAbort])
      }
      const deadline = new Deadline(exchange, 10, 0)
      deadline.timer.cancel()
      deadline.begin -= 10
      deadline.check()
      exchange.onAbort = 'next step'
      assert.deepEqual(given, [])
      while (given.length === 0) await delay(20)
      assert.deepEqual(given, [['request.timeout', 'next step']])
      deadline.ended()
    })

    it('do not look before the longest time that a timer can take', async () => {
      const deadline = new Deadline({ decoded: null, received: 0, waited: 0, waitsSince: null }, 2 ** 40, 0)
      const check = mock.method(deadline, 'check')
      await delay(10)
      deadline.ended()
      assert.equal(check.mock.callCount(), 0)
    })

    it('have a timer until the exchange is over, also while the rest is drained', () => {
      const before = timers()
      const deadline = new Deadline({ decoded: null, received: 0 }, 1e6, 0)
      deadline.drained(1)
      assert.equal(timers(), before + 1)
      deadline.ended()
      assert.equal(timers(), before)
    })
  })

  describe('throw a TypeError', () => {
    before(async () => serve())

    for (const timeout of [0, -1, NaN, '1', true]) {
      it(`for timeout ${typeof timeout} ${timeout}`, () => assert.throws(() => json({ timeout }),
        { name: 'TypeError', message: 'option timeout must be a positive number of milliseconds' }))
    }
  })
})

describe('Deadline', () => {
  /** Notes when it looks at its exchange next. */
  class NotedDeadline extends Deadline {
    schedule (delay) {
      this.delays ??= []
      this.delays.push(delay)
    }
  }

  let now, clock, exchange

  beforeEach(() => {
    now = 0
    clock = mock.method(performance, 'now', () => now)
    exchange = { abort: assert.fail, decoded: null, match: {}, onAbort () {}, received: 0, waited: 0, waitsSince: null }
  })

  afterEach(() => clock.mock.restore())

  it('looks when the time is over, without minRate', () => {
    assert.deepEqual(new NotedDeadline(exchange, 60_000, 0).delays, [60_000])
  })

  it('looks when what has been received lasts no longer, and once in a second while the client waits', () => {
    const deadline = new NotedDeadline(exchange, 60_000, 100)
    for (const [time, fields] of [[5000, { received: 10 }], [5090, { waitsSince: 5050 }], [59_900, {}]]) {
      now = time
      Object.assign(exchange, fields)
      deadline.check()
    }
    assert.deepEqual(deadline.delays, [5000, 100, 1000, 100])
  })
})
