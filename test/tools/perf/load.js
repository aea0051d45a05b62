'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { once } = require('node:events')
const { after, before, beforeEach, describe, it } = require('mocha')
const check = require('../../../perf/load/check')
const ConstantRate = require('../../../perf/load/constant-rate')
const Saturation = require('../../../perf/load/saturation')
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

  /** @returns {Promise<object[]>} the tally after each slice */
  async function run (Load, settings, slices, scenario = SCENARIO) {
    const load = new Load(scenario, { url, connections: 2, timeout: 5, ...settings })
    const counted = []
    for (let i = 0; i < slices; i++) {
      await load.go(0.1)
      counted.push(load.tally.toJSON())
    }
    await load.close()
    return counted
  }

  it('keeps to a rate at which a slice has a fraction of a request', async () => {
    const slices = await run(ConstantRate, { rate: 15 }, 10)
    assert.equal(slices.at(-1).responses, 15)
    assert.equal(slices[0].responses, 1)
    assert.ok(slices.at(-1).elapsed >= 1e9, `${slices.at(-1).elapsed} ns`) // a slice does not end early
  })

  it('sends what is due, whatever the server does, and counts latency from when it was due', async () => {
    const held = []
    respond = (res) => {
      if (held.push(res) === 20) for (const one of held) one.end(VALUE.last) // the first is due 95 ms before the last
    }
    const load = new ConstantRate(SCENARIO, { url, connections: 20, timeout: 5, rate: 200 })
    await load.go(0.1)
    await load.close()
    assert.equal(load.tally.problem, null)
    assert.equal(load.tally.responses, 20)
    assert.ok(load.tally.latency.maxValue >= 90e6, `${load.tally.latency.maxValue} ns`)
  })

  for (const Load of [ConstantRate, Saturation]) {
    it(`${Load.name} counts the bytes of bodies and its own CPU time`, async () => {
      const [{ responses, bytes, cpu, problem }] = await run(Load, { rate: 100 }, 1)
      assert.equal(problem, null)
      assert.ok(responses > 0)
      assert.equal(bytes, responses * VALUE.last.length)
      assert.ok(cpu > 0)
    })

    it(`${Load.name} finds a wrong response`, async () => {
      respond = (res) => res.end('another')
      const [{ problem, mismatches, responses }] = await run(Load, { rate: 100 }, 1)
      assert.match(problem, /the answer is not what was sent: "another" instead of "the-end!"/)
      assert.equal(mismatches, responses)
    })

    it(`${Load.name} sends the fields that the answer echoAll consists of`, async () => {
      respond = (res, body, headers) => res.end(echoAll(body === '' ? undefined : JSON.parse(body), headers))
      const scenario = { ...SCENARIO, answer: 'echoAll', requests: [json(VALUE, 19), json(VALUE, 19, { chunks: 2 })] }
      const [{ problem }] = await run(Load, { rate: 100 }, 1, scenario)
      assert.equal(problem, null)
    })

    it(`${Load.name} keeps going after wrong responses and lost connections, and counts them`, async () => {
      let seen = 0
      respond = (res) => {
        seen++
        if (seen % 10 === 3) res.destroy()
        else res.end(seen % 10 === 6 ? 'another' : VALUE.last)
      }
      const { errors, mismatches, responses } = (await run(Load, { rate: 200, keepGoing: true }, 2)).at(-1)
      assert.equal(errors + responses, seen)
      assert.equal(errors, Math.floor((seen + 7) / 10))
      assert.equal(mismatches, Math.floor((seen + 4) / 10))
      assert.ok(seen > 20)
    })
  }

  it('counts requests without a response as errors, and goes on with new connections', async () => {
    let seen = 0
    respond = (res) => {
      if (++seen > 2) res.end(VALUE.last)
    }
    const [first, second] = await run(Saturation, { keepGoing: true, timeout: 0.2 }, 2)
    assert.deepEqual([first.errors, first.responses], [2, 0])
    assert.equal(second.errors, 2)
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
