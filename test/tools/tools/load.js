'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { setTimeout: sleep } = require('node:timers/promises')
const { after, before, beforeEach, describe, it } = require('mocha')
const sendClosedLoop = require('../../../tools/lab/closed-loop')
const Meter = require('../../../tools/lab/meter')
const RawLoad = require('../../../tools/lab/raw-load')
const { listen, stop } = require('../../../tools/local-server')

const AMOUNT = 400
const FAULTY = 70 // the request at which a server does something else

const post = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(body),
  expected: { status: 200, body }
})
const [ONE, TWO] = ['{}', '[1,2]'].map(post)
const CLOSED = 'the server closed a connection before it answered'

describe('tools/lab', () => {
  let server
  let port
  let seen // requests
  let misbehave // at the request FAULTY
  let respond // to the others

  before(async () => {
    server = http.createServer(async (req, res) => {
      const body = Buffer.concat(await req.toArray())
      seen.push(String(body))
      if (seen.length === FAULTY) misbehave(res, body)
      else respond(res, body)
    })
    port = await listen(server)
  })

  after(() => stop(server))

  beforeEach(() => {
    seen = []
    misbehave = respond = (res, body) => res.end(body)
  })

  const closed = (settings) =>
    sendClosedLoop({ port, requests: [ONE], connections: 4, amount: AMOUNT, timeout: 1, ...settings })

  async function raw (how, settings) {
    const load = await RawLoad.open({ port, requests: [ONE], connections: 2, timeout: 5, ...settings })
    try {
      return await load.run(how)
    } finally {
      load.close()
    }
  }

  for (const [what, send] of [['a closed loop', closed], ['a loop of raw requests', () => raw({ amount: AMOUNT })]]) {
    it(`sends as many requests as are asked for in ${what}, and counts their responses`, async () => {
      const { responses, statusCodes, latency, elapsed } = await send()
      assert.deepEqual([seen.length, responses, statusCodes], [AMOUNT, AMOUNT, { 200: AMOUNT }])
      assert.ok(latency.mean > 0 && latency.p50 <= latency.p99 && elapsed > 0)
    })
  }

  it('sends requests in turn, until it is told to stop', async () => {
    const stop = new AbortController()
    respond = (res, body) => {
      res.end(body)
      if (seen.length === 4) stop.abort()
    }
    await closed({ requests: [ONE, TWO], connections: 1, amount: undefined, signal: stop.signal })
    assert.deepEqual(seen.slice(0, 4), ['{}', '[1,2]', '{}', '[1,2]'])
  })

  it('checks an empty body, which autocannon does not', async () => {
    const requests = [{ ...ONE, expected: { status: 200, body: '' } }]
    await assert.rejects(closed({ requests }), /responses were wrong, the first 200 "\{\}" instead of 200 ""$/)
  })

  const FAULTS = [
    ['another body', (res) => res.end('[]'), /200 "\[\]" instead of 200 "/],
    ['another status', (res, body) => res.writeHead(500, { 'content-length': body.length }).end(body),
      /500 (".*" )?instead of 200/],
    ['no response', () => {}, /^no response within 1 s/],
    ['a dropped connection', (res) => res.destroy(), new RegExp(`^${CLOSED}`)],
    ['a reset', (res) => res.socket.resetAndDestroy(), /^1 connections failed, the first with read ECONNRESET|closed/],
    ['half of a response', (res) => res.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
      new RegExp(`^(${CLOSED}|1 of \\d+ responses were wrong)`)]
  ]
  const LOADS = {
    'a closed loop': () => closed(),
    'a closed loop of two requests': () => closed({ requests: [ONE, TWO] }),
    'a loop of raw requests': () => raw({ amount: AMOUNT }, { timeout: 1 }),
    'an open loop': () => raw({ rate: 1000, time: 500 }, { timeout: 1 })
  }
  for (const [what, act, message] of FAULTS) {
    for (const [loop, send] of Object.entries(LOADS)) {
      it(`ends ${loop} with a sentence at ${what}`, async () => {
        misbehave = act
        await assert.rejects(send(), { message })
      })
    }
  }

  it('ends with a sentence at a dropped connection also if it is stopped', async () => {
    const stop = new AbortController()
    misbehave = (res) => {
      res.destroy()
      setTimeout(() => stop.abort(), 100)
    }
    await assert.rejects(closed({ amount: undefined, signal: stop.signal }), new RegExp(CLOSED))
  })

  it('sends what is due, whatever the server does, and counts latency from when it was due', async function () {
    this.retries(2) // another program may take the core while requests are due
    const held = []
    respond = (res, body) => held.push(() => res.end(body))
    const ended = raw({ rate: 500, time: 200, seed: 4 })
    await sleep(180)
    respond = misbehave
    for (const answer of held) answer()
    const { latency, responses } = await ended
    assert.ok(held.length === 2 && responses > 20 && responses < 200, `${held.length} held, ${responses} counted`)
    assert.ok(latency.p50 > 40, `${latency.p50} ms`)
  })

  it('reports the backlog of a server that cannot keep up, without an error', async () => {
    respond = (res, body) => setTimeout(() => res.end(body), 20)
    const { backlog } = await raw({ rate: 1000, time: 200 })
    assert.ok(backlog > 50, `${backlog}`)
  })

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
