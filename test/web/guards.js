'use strict'

// Options `budget` and `minRate` of a Request: as those of the middleware.

const assert = require('node:assert/strict')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const bodyParser = require('fast-body-parser')
const web = require('fast-body-parser/web')
const Clock = require('../support/clock')
const until = require('../support/until')
const { post } = require('../support/web-request')

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'multipart/form-data; boundary=x' }
const RECORDS = { 'content-type': 'application/x-ndjson' }
const HEADER = '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
const END = '\r\n--x--'
const FREE = { used: 0, holding: 0, waiting: 0 }

const stateOf = ({ holding, used, waiting }) => ({ used, holding: holding.size, waiting: waiting.size })

/** A Request whose body comes piece by piece, and what sends them. */
function sending (headers = JSON_TYPE, init = {}) {
  const sent = {}
  const body = new ReadableStream({
    start (controller) {
      sent.send = (piece) => controller.enqueue(new Uint8Array(Buffer.from(piece)))
      sent.end = () => controller.close()
    },
    cancel () { sent.isCancelled = true }
  })
  return Object.assign(sent, { request: post(body, headers, init) })
}

/** One that has all its pieces. */
function whole (pieces, headers = JSON_TYPE) {
  const sent = sending(headers)
  for (const piece of pieces) sent.send(piece)
  sent.end()
  return sent.request
}

/** As that of @hono/node-server. */
class Served extends Request {
  message = { complete: false, headers: Object.fromEntries(this.headers) };
  [Symbol('incomingKey')] = this.message
  text () { return super.text() }
}

describe('fast-body-parser/web, budget', () => {
  let budget
  let holder
  let held

  /** Of a budget of 100 bytes, one body holds so many. */
  async function begin (bytes, options) {
    budget = web.createBudget({ bytes: 100, ...options })
    holder = sending()
    held = web.json({ budget })(holder.request)
    holder.send('['.padEnd(bytes))
    await until(() => budget.used === bytes)
  }

  async function release () {
    holder.send('1]')
    holder.end()
    assert.deepEqual(await held, [1])
  }

  it('is that of the middleware, whose parsers may share it', () => {
    const budget = bodyParser.createBudget({ bytes: 1 })
    assert.equal(typeof web.json({ budget }), 'function')
    assert.equal(typeof bodyParser.json({ budget: web.createBudget({ bytes: 1 }) }), 'function')
    assert.throws(() => web.json({ budget: {} }),
      { name: 'TypeError', message: 'option budget must be made by createBudget()' })
  })

  it('counts what has come, and refuses what has no room as the middleware does', async () => {
    await begin(90)
    await assert.rejects(web.json({ budget })(whole(['[1,2,3,4,5,6,7]'])), {
      status: 503,
      type: 'budget.exceeded',
      message: 'too many bodies at once',
      expose: true,
      headers: { 'Retry-After': '1' },
      received: 15
    })
    assert.deepEqual(await web.json({ budget })(whole(['[1]'])), [1])
    await release()
    assert.deepEqual(stateOf(budget), FREE)
  })

  it('lets a body wait for room', async () => {
    await begin(90, { wait: 60_000 })
    const { request, send, end } = sending()
    let isDone = false
    const body = web.json({ budget })(request).finally(() => { isDone = true })
    send('['.padEnd(20))
    send('1]')
    end()
    await until(() => budget.waiting.size === 1)
    await turn()
    assert.deepEqual([isDone, stateOf(budget)], [false, { used: 110, holding: 2, waiting: 1 }])
    await release()
    assert.deepEqual(await body, [1])
    assert.deepEqual(stateOf(budget), FREE)
  })

  it('refuses a body that has waited for that long, and reads off its rest', async () => {
    const clock = new Clock()
    const [budget, read] = clock.load(() => {
      const { createBudget, json } = require('fast-body-parser/web')
      const budget = createBudget({ bytes: 100, wait: 1500 })
      return [budget, json({ budget })]
    })
    const [first, second] = [sending(), sending()]
    const held = read(first.request)
    first.send('['.padEnd(90))
    await until(() => budget.used === 90)
    const waiting = read(second.request)
    second.send('['.padEnd(20))
    second.end()
    await until(() => budget.waiting.size === 1)
    clock.pass(1500)
    await assert.rejects(waiting, { status: 503, type: 'budget.exceeded', headers: { 'Retry-After': '2' } })
    assert.deepEqual(stateOf(budget), { used: 90, holding: 1, waiting: 0 })
    first.send('1]')
    first.end()
    await held
    assert.equal(budget.used, 0)
  })

  it('is free once a client has left that waits for room', async () => {
    await begin(90, { wait: 60_000 })
    const controller = new AbortController()
    const { request, send } = sending(JSON_TYPE, { signal: controller.signal })
    const body = web.json({ budget })(request)
    send('['.padEnd(20))
    await until(() => budget.waiting.size === 1)
    controller.abort()
    await assert.rejects(body, { type: 'request.aborted' })
    assert.deepEqual(stateOf(budget), { used: 90, holding: 1, waiting: 0 })
    await release()
  })

  it('counts what is decoded in one call, beside the coded bytes', async () => {
    const text = JSON.stringify(['x'.repeat(2000)])
    const coded = zlib.gzipSync(text)
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip', 'content-length': String(coded.length) }
    const length = coded.length + text.length
    for (const [bytes, outcome] of [[length, length], [length - 1, 'budget.exceeded']]) {
      const budget = web.createBudget({ bytes })
      const verify = () => { throw Object.assign(new Error('x'), { type: budget.used }) }
      const request = new Served('http://localhost/', { method: 'POST', headers, body: coded })
      await assert.rejects(web.json({ budget, verify })(request), { type: outcome })
      assert.deepEqual(stateOf(budget), FREE)
    }
  })

  for (const [what, name, options, headers, pieces, type] of [
    ['a body that is too large', 'json', { limit: 5 }, JSON_TYPE, ['[1,', '2,3,4]'], 'entity.too.large'],
    ['a form that is refused', 'multipart', { files: false }, FORM, [HEADER, 'x'], 'multipart.file.unexpected']
  ]) {
    it(`has room for others while the rest is read off of ${what}`, async () => {
      const budget = web.createBudget({ bytes: 1000 })
      const { end, request, send } = sending(headers)
      const read = assert.rejects(web[name]({ budget, ...options })(request), { type })
      for (const piece of pieces) {
        send(piece)
        for (let i = 0; i < 5; i++) await turn()
      }
      assert.deepEqual([stateOf(budget), request.bodyUsed], [FREE, true])
      end()
      await read
    })
  }

  describe('of a body that comes in one piece', () => {
    const request = (body, length) => new Served('http://localhost/', {
      method: 'POST', headers: { ...JSON_TYPE, 'content-length': String(length) }, body, duplex: 'half'
    })

    it('has its declared length reserved', async () => {
      const budget = web.createBudget({ bytes: 100 })
      const { end, request: { body }, send } = sending()
      const first = web.json({ budget })(request(body, 90))
      assert.equal(budget.used, 90)
      await assert.rejects(web.json({ budget })(whole(['[1,2,3,4,5,6,7]'])), { type: 'budget.exceeded' })
      send('[1]'.padEnd(90))
      end()
      assert.deepEqual(await first, [1])
      assert.deepEqual(stateOf(budget), FREE)
    })

    it('counts as it comes, by chunks, where it is large, or there is no room', async () => {
      const budget = web.createBudget({ bytes: 10_000 })
      const { end, request: { body }, send } = sending()
      const first = web.json({ budget })(request(body, 9000))
      assert.equal(budget.used, 0)
      send('['.padEnd(8999))
      await until(() => budget.used === 8999)
      const second = web.json({ budget })(request(whole(['[1]'.padEnd(2000)]).body, 2000))
      await assert.rejects(second, { type: 'budget.exceeded' })
      send(']')
      end()
      assert.deepEqual(await first, [])
      assert.deepEqual(stateOf(budget), FREE)
    })
  })

  it('has what a form keeps, and what waits for a loop', async () => {
    const budget = web.createBudget({ bytes: 300_000 })
    const form = (count) => whole([HEADER, 'x'.repeat(10_000).repeat(count), END], FORM)
    await assert.rejects(web.multipart({ budget })(form(50)), { type: 'budget.exceeded' })
    assert.equal((await web.multipart({ budget })(form(20))).files.f[0].size, 200_000)
    const loop = web.ndjson({ budget })(whole(['{}\n'.repeat(100)], RECORDS))[Symbol.asyncIterator]()
    await loop.next()
    assert.equal(budget.used, 300)
    await loop.return()
    assert.deepEqual(stateOf(budget), FREE)
  })
})

describe('fast-body-parser/web, clients that are slow', () => {
  let clock

  beforeEach(() => { clock = new Clock() })

  /** Readers, for which the time of the test passes. */
  const create = (make) => clock.load(() => make(require('fast-body-parser/web')))

  const timeout = { status: 408, type: 'request.timeout', message: 'request timeout', expose: true }

  it('are a 408 below minRate, after the grace of five seconds', async () => {
    const { isCancelled, request, send } = sending()
    const body = create(({ json }) => json({ minRate: 10 }))(request)
    send('['.padEnd(10))
    await turn()
    clock.pass(5999)
    await turn()
    send(' '.repeat(10))
    await turn()
    clock.pass(999)
    assert.deepEqual(clock.waits, [2])
    clock.pass(2)
    await assert.rejects(body, { ...timeout, received: 20 })
    assert.equal(isCancelled, undefined)
    assert.deepEqual(clock.waits, [])
  })

  it('are read by chunks, where a body would come in one piece', async () => {
    const headers = { ...JSON_TYPE, 'content-length': '9' }
    const { request: { body }, send } = sending()
    const read = create(({ json }) => json({ minRate: 10 }))(
      new Served('http://localhost/', { method: 'POST', headers, body, duplex: 'half' }))
    send('[1,')
    await turn()
    clock.pass(6000)
    await assert.rejects(read, { ...timeout, received: 3 })
  })

  it('are a 408 below minRate while the rest of a refused body is read off', async () => {
    const { request, send } = sending()
    const body = create(({ json }) => json({ limit: 5, minRate: 10 }))(request)
    send('[1,2,3,4]')
    await turn()
    clock.pass(5900)
    await assert.rejects(body, { type: 'entity.too.large' })
  })

  it('are not those that wait for a store, nor for verify', async () => {
    const form = sending(FORM)
    let goOn
    const store = async ({ stream }) => {
      await new Promise((resolve) => { goOn = resolve })
      for await (const chunk of stream) assert.ok(chunk)
    }
    const body = create(({ multipart }) => multipart({ minRate: '100kb', store }))(form.request)
    form.send(HEADER)
    for (let i = 0; i < 30; i++) form.send('x'.repeat(10_000))
    await until(() => goOn !== undefined)
    for (let i = 0; i < 20; i++) await turn()
    clock.pass(60_000)
    goOn()
    form.send(END)
    form.end()
    assert.equal((await body).files.f[0].size, 300_000)

    const verify = async () => { clock.pass(60_000) }
    assert.deepEqual(await create(({ json }) => json({ minRate: 10, verify }))(whole(['[1]'])), [1])
    assert.deepEqual(clock.waits, [])
  })

  it('are a 408 where they stall while others want room', async () => {
    const [budget, read] = create(({ createBudget, json }) => {
      const budget = createBudget({ bytes: 100 })
      return [budget, json({ budget })]
    })
    const headers = { ...JSON_TYPE, 'content-length': '90' }
    const { request: { body }, send } = sending()
    const stalled = read(new Served('http://localhost/', { method: 'POST', headers, body, duplex: 'half' }))
    send('['.padEnd(89))
    await assert.rejects(read(whole(['[1,2,3,4,5,6,7]'])), { type: 'budget.exceeded' })
    clock.pass(5000)
    await assert.rejects(stalled, { ...timeout, received: 0 })
    assert.deepEqual(await read(whole(['[1]'])), [1])
    assert.deepEqual([stateOf(budget), clock.waits], [FREE, []])
  })
})
