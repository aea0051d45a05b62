'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { once } = require('node:events')
const { setTimeout: sleep } = require('node:timers/promises')
const { after, before, beforeEach, describe, it } = require('mocha')
const check = require('../../../perf/load/check')
const ClosedLoop = require('../../../perf/load/closed-loop')
const OpenLoop = require('../../../perf/load/open-loop')
const { echoAll } = require('../../../perf/scenarios/answers')
const { get, json } = require('../../../perf/scenarios/requests')

const VALUE = { last: 'the-end!' }
const SCENARIO = { name: 'x', answer: 'tail', requests: [json(VALUE, 19)] }

describe('perf/load', () => {
  let server
  let url
  let respond // to each request, with its body

  before(async () => {
    server = http.createServer((req, res) => {
      let body = ''
      req.setEncoding('utf8').on('data', (text) => { body += text })
      req.on('end', () => respond(res, body, req.headers))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${server.address().port}`
  })

  after(() => {
    server?.close()
    server?.closeAllConnections()
  })

  beforeEach(() => {
    respond = (res) => res.end(VALUE.last)
  })

  /** @returns {Promise<object[]>} the tally of each turn */
  async function run (Load, settings, turns = 1, scenario = SCENARIO) {
    const load = new Load(scenario, { url, connections: 2, timeout: 5, ...settings })
    const counted = []
    for (let i = 0; i < turns; i++) counted.push(await turn(load))
    await load.close()
    return counted
  }

  async function turn (load, seconds = 0.1) {
    load.begin()
    load.start()
    await sleep(seconds * 1000)
    const tally = load.end()
    await load.stop()
    return tally.toJSON()
  }

  it('keeps its core awake in a closed loop, as a server pays for waking it', async () => {
    respond = (res) => setTimeout(() => res.end(VALUE.last), 150)
    const load = new ClosedLoop(SCENARIO, { url, connections: 1, timeout: 5 })
    load.start()
    const began = performance.eventLoopUtilization()
    await sleep(100)
    assert.ok(performance.eventLoopUtilization(began).utilization > 0.9)
    await load.stop()
    await load.close()
  })

  it('has requests arrive at random, as many as the rate says on average', async () => {
    const load = new OpenLoop(SCENARIO, { url, connections: 1, timeout: 5, rate: 500, seed: 4 })
    const gaps = Array.from({ length: 4000 }, () => Number(load.arrivals.gap()) / 2e6) // of 2 ms
    await load.close()
    const shareOf = (isSuch) => gaps.filter(isSuch).length / gaps.length
    assert.ok(Math.abs(gaps.reduce((sum, gap) => sum + gap) / gaps.length - 1) < 0.05)
    assert.ok(Math.abs(shareOf((gap) => gap < 0.1) - 0.095) < 0.02) // 1 - exp(-0.1)
    assert.ok(Math.abs(shareOf((gap) => gap > 2) - 0.135) < 0.02) // exp(-2)
  })

  it('sends what is due, whatever the server does, and counts latency from when it was due', async () => {
    const held = []
    let isOver = false
    respond = (res) => isOver ? res.end(VALUE.last) : held.push(res)
    const load = new OpenLoop(SCENARIO, { url, connections: 50, timeout: 5, rate: 200 })
    const ended = turn(load, 0.2)
    await sleep(180)
    isOver = true
    for (const one of held) one.end(VALUE.last)
    const { responses, problem } = await ended
    await load.close()
    assert.equal(problem, null)
    assert.ok(held.length > 10 && responses >= held.length, `${held.length} held, ${responses} counted`)
  })

  it('tells how many requests are due and have no connection', async () => {
    const held = []
    respond = (res) => held.push(res)
    const load = new OpenLoop(SCENARIO, { url, connections: 2, timeout: 5, rate: 500 })
    load.start()
    load.begin()
    await sleep(100)
    const { backlog } = load.end()
    respond = (res) => res.end(VALUE.last)
    for (const one of held) one.end(VALUE.last)
    await load.stop()
    await load.close()
    assert.ok(backlog > 10, `${backlog}`)
  })

  it('does not take a server that cannot keep up for an error', async () => {
    respond = (res) => setTimeout(() => res.end(VALUE.last), 50)
    const [{ problem, responses, backlog }] = await run(OpenLoop, { rate: 2000, timeout: 0.2 })
    assert.equal(problem, null)
    assert.ok(responses < backlog)
  })

  it('counts requests that are sent between begin and end, whenever they are answered', async () => {
    const load = new ClosedLoop(SCENARIO, { url, connections: 2, timeout: 5 })
    load.start()
    await sleep(50)
    let counted = 0
    const arrived = new Promise((resolve) => {
      respond = (res) => {
        counted++
        if (counted === 4) resolve(res)
        else res.end(VALUE.last)
      }
    })
    load.begin()
    const late = await arrived
    const tally = load.end()
    setTimeout(() => late.end(VALUE.last), 20)
    await load.stop()
    await load.close()
    assert.ok(tally.latency.maxValue > 15e6, `${tally.latency.maxValue} ns`)
    assert.ok(tally.responses <= counted)
  })

  for (const Load of [OpenLoop, ClosedLoop]) {
    it(`${Load.name} counts the bytes of bodies`, async () => {
      const [{ responses, bytes, problem }] = await run(Load, { rate: 200 })
      assert.equal(problem, null)
      assert.ok(responses > 0)
      assert.equal(bytes, responses * VALUE.last.length)
    })

    it(`${Load.name} finds a wrong response`, async () => {
      respond = (res) => res.end('another')
      const [{ problem, mismatches, responses }] = await run(Load, { rate: 200, keepGoing: true })
      assert.match(problem, /the answer is not what was sent: "another" instead of "the-end!"/)
      assert.equal(mismatches, responses)
    })

    it(`${Load.name} sends the fields that the answer echoAll consists of`, async () => {
      respond = (res, body, headers) => res.end(echoAll(body === '' ? undefined : JSON.parse(body), headers))
      const scenario = { ...SCENARIO, answer: 'echoAll', requests: [json(VALUE, 19), json(VALUE, 19, { chunks: 2 })] }
      const [{ problem }] = await run(Load, { rate: 200 }, 1, scenario)
      assert.equal(problem, null)
    })

    it(`${Load.name} keeps going after wrong responses and lost connections, and counts them`, async () => {
      let seen = 0
      respond = (res) => {
        seen++
        if (seen % 10 === 3) res.destroy()
        else res.end(seen % 10 === 6 ? 'another' : VALUE.last)
      }
      const turns = await run(Load, { rate: 300, keepGoing: true }, 2)
      const [errors, mismatches, responses] = ['errors', 'mismatches', 'responses'].map((key) => turns[0][key] + turns[1][key])
      assert.ok(seen > 20)
      assert.ok(Math.abs(errors + responses - seen) <= 8, `${errors} + ${responses} of ${seen}`) // those around the edges do not count
      assert.ok(Math.abs(errors - seen / 10) <= 2)
      assert.ok(Math.abs(mismatches - seen / 10) <= 2)
    })
  }

  it('counts requests without a response as errors, and goes on with new connections', async () => {
    let seen = 0
    respond = (res) => {
      if (++seen > 2) res.end(VALUE.last)
    }
    const [first, second] = await run(ClosedLoop, { keepGoing: true, timeout: 0.2 }, 2)
    assert.deepEqual([first.errors, first.responses], [2, 0])
    assert.equal(second.errors, 0)
    assert.ok(second.responses > 0)
  })

  describe('check', () => {
    for (const [what, given, [status, answer], found] of [
      ['accepts what was sent', json(VALUE, 19), [200, JSON.stringify(VALUE)], { problem: null, lacks: null }],
      ['accepts an empty answer to an empty body', get(), [200, ''], { problem: null, lacks: null }],
      ['reports another answer', json(VALUE, 19), [200, '{}'], { problem: 'the answer is not what was sent', lacks: null }],
      ['reports another status', json(VALUE, 19), [415, 'no'], { problem: 'status 415 instead of 200: no', lacks: null }],
      ['names a content coding that the server does not know', json(VALUE, 19, { coding: 'br' }), [415, 'no'], { problem: null, lacks: 'br' }]
    ]) {
      it(what, async () => {
        respond = (res) => res.writeHead(status).end(answer)
        assert.deepEqual(await check({ requests: [given] }, { url, answer: 'echo' }), found)
      })
    }

    it('reports a server that is not there', async () => {
      const { problem } = await check({ requests: [get()] }, { url: 'http://127.0.0.1:1', answer: 'echo' })
      assert.match(problem, /ECONNREFUSED/)
    })
  })
})
