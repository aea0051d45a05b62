'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { once } = require('node:events')
const { after, before, beforeEach, describe, it } = require('mocha')
const { sendClosedLoop, sendVolleys } = require('../../../tools/lab/closed-loop')

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

describe('tools/lab/closed-loop', () => {
  let server
  let seen // requests
  let misbehave // at the request FAULTY

  before(async () => {
    server = http.createServer(async (req, res) => {
      const body = Buffer.concat(await req.toArray())
      seen.push(String(body))
      if (seen.length === FAULTY) misbehave(res, body)
      else res.end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  after(() => {
    server.close()
    server.closeAllConnections()
  })

  beforeEach(() => {
    seen = []
    misbehave = (res, body) => res.end(body)
  })

  function send (settings) {
    const loop = { port: server.address().port, requests: [ONE], connections: 4, amount: AMOUNT, timeout: 1 }
    return sendClosedLoop({ ...loop, ...settings })
  }

  it('sends as many requests as are asked for, and counts their responses', async () => {
    const { responses, statusCodes, latency, elapsed } = await send()
    assert.equal(seen.length, AMOUNT)
    assert.equal(responses, AMOUNT)
    assert.deepEqual(statusCodes, { 200: AMOUNT })
    assert.ok(latency.mean > 0 && latency.p50 <= latency.p99 && elapsed > 0)
  })

  it('sends several requests in turn', async () => {
    await send({ requests: [ONE, TWO], connections: 1, amount: 4 })
    assert.deepEqual(seen, ['{}', '[1,2]', '{}', '[1,2]'])
  })

  it('pipelines', async () => {
    assert.equal((await send({ pipelining: 4 })).responses, AMOUNT - 4 * 3) // the last ones are given up
  })

  it('sends until it is told to stop', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    const { responses } = await send({ amount: undefined, signal: stop.signal })
    assert.ok(responses > 0 && responses <= seen.length)
  })

  it('checks an empty body, which autocannon does not', async () => {
    const requests = [{ ...ONE, expected: { status: 200, body: '' } }]
    await assert.rejects(send({ requests, amount: 4 }), /^Error: 4 of 4 responses were wrong, the first 200 "{}" instead of 200 ""$/)
  })

  function half (res) {
    res.writeHead(200, { 'content-length': 9 }).write('{')
    setImmediate(() => res.destroy())
  }

  const FAULTS = [
    ['another body', (res) => res.end('[]'), /^1 of \d+ responses were wrong, the first 200 "\[\]" instead of 200 "/],
    ['another status', (res, body) => res.writeHead(500).end(body), /^1 of \d+ .* wrong, the first 500 (".*" )?instead of 200/],
    ['another status and body', (res) => res.writeHead(400).end('no'), /^1 of \d+ .* wrong, the first 400 "no" instead of 200 "/],
    ['no response', () => {}, /^no response within 1 s to 1 requests: \d+ of 400 responses came$/],
    ['a dropped connection', (res) => res.destroy(), new RegExp(`^${CLOSED}: 399 of 400 responses came$`)],
    ['a reset', (res) => res.socket.resetAndDestroy(), /^1 connections failed, the first with read ECONNRESET: \d+ of 400 /],
    ['half of a response', half, new RegExp(`^(${CLOSED}|1 of \\d+ responses were wrong)`)],
    ['something else than HTTP', (res) => res.socket.end('no\r\n\r\n'), new RegExp(`^(${CLOSED}|no response within 1 s)`)]
  ]
  for (const [what, act, message] of FAULTS) {
    for (const requests of [[ONE], [ONE, TWO]]) {
      it(`ends with a sentence at ${what}, with ${requests.length} requests in turn`, async () => {
        misbehave = act
        await assert.rejects(send({ requests }), { message })
      })
    }
  }

  it('ends with a sentence at a dropped connection also if it is stopped', async () => {
    const stop = new AbortController()
    misbehave = (res) => res.destroy()
    setTimeout(() => stop.abort(), 200)
    await assert.rejects(send({ amount: undefined, signal: stop.signal }), new RegExp(CLOSED))
  })

  it('starts volleys whatever became of those before, and adds up their figures', async () => {
    misbehave = (res, body) => setTimeout(() => res.end(body), 300)
    const loop = { port: server.address().port, requests: [ONE], connections: 5, amount: 5 }
    const { responses, latency } = await sendVolleys({ ...loop, every: 10, time: 200 })
    assert.equal(responses, 100)
    assert.ok(latency.mean >= 3)
  })
})
