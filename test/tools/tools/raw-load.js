'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { once } = require('node:events')
const { setTimeout: sleep } = require('node:timers/promises')
const { after, before, beforeEach, describe, it } = require('mocha')
const Meter = require('../../../tools/lab/meter')
const RawLoad = require('../../../tools/lab/raw-load')

const REQUEST = { headers: { Host: 'x' }, body: Buffer.from('{}'), expected: { status: 200, body: 'right' } }

describe('tools/lab/raw-load', () => {
  let server
  let respond // to each request

  before(async () => {
    server = http.createServer((req, res) => req.resume().on('end', () => respond(res, req))).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  after(() => {
    server.close()
    server.closeAllConnections()
  })

  beforeEach(() => {
    respond = (res) => res.setHeader('content-length', 5).end('right')
  })

  /** @returns {Promise<object>} the figures of a run */
  async function run (how, settings) {
    const loop = { port: server.address().port, requests: [REQUEST], connections: 2, timeout: 5 }
    const load = await RawLoad.open({ ...loop, ...settings })
    try {
      return await load.run(how)
    } finally {
      load.close()
    }
  }

  it('sends bodies in chunks on each connection as soon as it has the response', async () => {
    let framing
    respond = (res, { headers }) => {
      framing = headers['transfer-encoding']
      res.setHeader('content-length', 5).end('right')
    }
    const requests = [{ ...REQUEST, chunks: 2 }]
    const { responses, statusCodes, latency, backlog } = await run({ amount: 50 }, { requests })
    assert.equal(framing, 'chunked')
    assert.equal(responses, 50)
    assert.deepEqual(statusCodes, { 200: 50 })
    assert.equal(backlog, 0)
    assert.ok(latency.mean > 0 && latency.p50 <= latency.p99)
  })

  for (const [what, answer, message] of [
    ['another body', (res) => res.setHeader('content-length', 5).end('wrong'), /200 "wrong" instead of 200 "right"/],
    ['another status', (res) => { res.writeHead(500, { 'content-length': 5 }).end('right') }, /500 "right" instead of 200/],
    ['no response', () => {}, /no response within 0.2 s/],
    ['a closed connection', (res) => res.destroy(), /the server closed a connection before it answered/]
  ]) {
    for (const how of [{ amount: 50 }, { rate: 1000, time: 100 }]) {
      it(`ends at ${what} ${how.amount ? 'of a closed loop' : 'of an open one'}`, async () => {
        respond = answer
        await assert.rejects(run(how, { timeout: 0.2 }), message)
      })
    }
  }

  it('has requests arrive at random, as many as the rate says on average', async () => {
    const { responses } = await run({ rate: 1000, time: 500, seed: 4 }, { connections: 50 })
    assert.ok(responses > 100 && responses < 650, `${responses}`)
  })

  it('sends what is due, whatever the server does, and counts latency from when it was due', async function () {
    this.retries(2) // another program may take the core while requests are due
    const held = []
    let isOver = false
    respond = (res) => isOver ? res.setHeader('content-length', 5).end('right') : held.push(res)
    const ended = run({ rate: 500, time: 200, seed: 4 })
    await sleep(180)
    isOver = true
    for (const one of held) one.setHeader('content-length', 5).end('right')
    const { latency, responses } = await ended
    assert.ok(held.length === 2 && responses > 20, `${held.length} held, ${responses} counted`)
    assert.ok(latency.p50 > 40, `${latency.p50} ms`)
  })

  it('reports the backlog of a server that cannot keep up, without an error', async () => {
    respond = (res) => setTimeout(() => res.setHeader('content-length', 5).end('right'), 20)
    const { backlog } = await run({ rate: 1000, time: 200 })
    assert.ok(backlog > 50, `${backlog}`)
  })
})

describe('tools/lab/meter', () => {
  it('counts CPU time, not waiting, and allocations by request', async () => {
    const meter = new Meter()
    meter.watch()
    const before = meter.usage()
    await sleep(100)
    const idle = meter.usage().cpu - before.cpu
    const kept = []
    while (meter.usage().cpu - before.cpu < 100_000) kept.push({})
    meter.requests += 10
    const { cpu, requests } = meter.usage()
    assert.ok(idle < 50_000 && cpu - before.cpu > 60_000, `${idle} and ${cpu - before.cpu} us`)
    assert.equal(requests, 10)
    const { heap, rss } = meter.figures()
    assert.ok(heap > kept.length * 8 / 10 && rss > 1e7)
  })
})
