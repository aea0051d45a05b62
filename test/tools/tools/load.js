'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { once } = require('node:events')
const { setTimeout: sleep } = require('node:timers/promises')
const { after, before, beforeEach, describe, it } = require('mocha')
const { serializeRequest } = require('../../../tools/http-message')
const Load = require('../../../tools/load')
const Meter = require('../../../tools/meter')
const { createRandom } = require('../../../tools/random')

const REQUEST = { message: serializeRequest({ headers: { Host: 'x' }, body: Buffer.from('{}') }), expected: { status: 200, body: 'right' } }

describe('tools/load', () => {
  let server
  let respond // to each request

  before(async () => {
    server = http.createServer((req, res) => req.resume().on('end', () => respond(res))).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  after(() => {
    server.close()
    server.closeAllConnections()
  })

  beforeEach(() => {
    respond = (res) => res.end('right')
  })

  const open = (settings) => Load.open({ port: server.address().port, requests: [REQUEST], connections: 2, timeout: 5000, ...settings })

  /** @returns {Promise<object>} the figures of a turn */
  async function turn (load, settings, ms = 100) {
    load.start(settings)
    load.begin()
    await sleep(ms)
    const figures = load.end()
    await load.stop()
    return figures()
  }

  it('sends a request on each connection as soon as it has the response', async () => {
    const load = await open()
    const { responses, statusCodes, bytes, latency } = await turn(load)
    load.close()
    assert.ok(responses > 10)
    assert.deepEqual(statusCodes, { 200: responses })
    assert.equal(bytes, 5 * responses)
    assert.ok(latency.mean > 0 && latency.p50 <= latency.p99)
  })

  for (const [what, answer, message] of [
    ['another body', (res) => res.end('wrong'), /200 "wrong" instead of 200 "right"/],
    ['another status', (res) => { res.statusCode = 500; res.end('right') }, /500 "right" instead of 200/],
    ['no response', () => {}, /no response within 0.2 s/],
    ['a closed connection', (res) => res.destroy(), /the connection was closed/]
  ]) {
    it(`ends at ${what}`, async () => {
      respond = answer
      const load = await open({ timeout: 200 })
      await assert.rejects(turn(load), message)
      load.close()
    })
  }

  it('has requests arrive at random, as many as the rate says on average', async () => {
    const load = await open({ connections: 50 })
    const { responses } = await turn(load, { rate: 1000, random: createRandom(4) }, 500)
    load.close()
    assert.ok(responses > 100 && responses < 650, `${responses}`)
  })

  it('sends what is due, whatever the server does, and counts latency from when it was due', async function () {
    this.retries(2) // another program may take the core while requests are due
    const held = []
    let isOver = false
    respond = (res) => isOver ? res.end('right') : held.push(res)
    const load = await open()
    const ended = turn(load, { rate: 500, random: createRandom(4) }, 200)
    await sleep(180)
    isOver = true
    for (const one of held) one.end('right')
    const { latency, responses } = await ended
    load.close()
    assert.ok(held.length === 2 && responses > 20, `${held.length} held, ${responses} counted`)
    assert.ok(latency.p50 > 40, `${latency.p50} ms`)
  })

  it('reports the backlog of a server that cannot keep up, without an error', async () => {
    respond = (res) => setTimeout(() => res.end('right'), 20)
    const load = await open()
    const { backlog } = await turn(load, { rate: 1000 }, 200)
    load.close()
    assert.ok(backlog > 50, `${backlog}`)
  })
})

describe('tools/meter', () => {
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
