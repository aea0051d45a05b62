'use strict'

const assert = require('node:assert/strict')
const { differences, serialize } = require('../../../reliability/soak/connection')
const options = require('../../../reliability/soak/options')
const { sampleText, summaryText } = require('../../../reliability/soak/report')
const soak = require('../../../reliability/soak/soak')
const { mayStall, mixOf } = require('../../../reliability/soak/traffic')
const { trendsOf } = require('../../../reliability/soak/verdict')
const { readOptions } = require('../../../tools/command-line')
const { parseResponse } = require('../../../tools/http-message')
const { createRandom } = require('../../../tools/random')

const verdicts = ({ trends }) => Object.fromEntries(trends.map(({ name, verdict }) => [name, verdict]))

describe('a soak', function () {
  this.timeout(30_000)
  this.retries(3) // growth is clear after minutes, and these are seconds

  for (const framework of ['http', 'express']) {
    it(`finds nothing wrong with ${framework}`, async () => {
      const samples = []
      const result = await soak({ minutes: 0.05, framework, seed: 1, injectFault: null }, (sample) => samples.push(sample))
      assert.deepEqual(result.faults, [])
      assert.equal(verdicts(result).handles, 'flat')
      assert.equal(samples.length, result.samples.length)
      assert.ok(result.requests > 100)
    })
  }

  for (const framework of ['http', 'express']) {
    it(`finds nothing wrong with ${framework} and the options that bound clients`, async () => {
      const { faults, rest } = await soak({ minutes: 0.05, framework, seed: 1, injectFault: null, guarded: true })
      assert.deepEqual(faults, [])
      assert.deepEqual(rest, { sockets: 0, timers: 0, pending: 0, held: 0 })
    })
  }

  it('finds timers that are left when all connections are closed', async () => {
    const { faults, rest } = await soak({ minutes: 0.02, framework: 'http', seed: 1, injectFault: 'handles' })
    assert.ok(rest.timers > 0)
    assert.equal(faults.at(-1), `${rest.timers} timers are left when all connections are closed`)
  })

  it('finds the injected fault "leak": the heap grows', async () => {
    const result = await soak({ minutes: 0.05, framework: 'http', seed: 1, injectFault: 'leak' })
    assert.equal(verdicts(result).heap, 'grows')
  })

  it('finds the injected fault "handles": timers that stay', async () => {
    const result = await soak({ minutes: 0.05, framework: 'http', seed: 1, injectFault: 'handles' })
    assert.equal(verdicts(result).handles, 'grows')
  })

  it('finds the injected fault "context": the async context of another request', async () => {
    const { faults } = await soak({ minutes: 0.02, framework: 'http', seed: 1, injectFault: 'context' })
    assert.match(faults[0], /^next of request \d+ ran in the context of another$/)
  })

  it('finds the injected fault "rejection": a rejection that is not handled', async () => {
    const { faults } = await soak({ minutes: 0.02, framework: 'http', seed: 1, injectFault: 'rejection' })
    assert.match(faults[0], /^unhandled rejection: Error: injected/)
  })
})

describe('the verdict of a soak', () => {
  const samplesOf = (heapOf, handles = 20) => Array.from({ length: 20 }, (_, index) =>
    ({ time: index * 30, heap: heapOf(index), buffers: 1000, handles, listeners: 9 }))
  const heapOf = (samples) => verdicts({ trends: trendsOf(samples) }).heap

  it('distinguishes growth, noise and what V8 keeps', () => {
    assert.equal(heapOf(samplesOf((index) => 6e6 + index * 1e5)), 'grows')
    assert.equal(heapOf(samplesOf((index) => 6e6 + (index % 2) * 1e5)), 'flat')
    assert.equal(heapOf(samplesOf((index) => 6e6 + index * 1e3)), 'settles')
    assert.equal(heapOf(samplesOf((index) => 6e6 - index * 1e5)), 'flat')
  })

  it('is printed with slopes and faults', () => {
    const samples = samplesOf((index) => 6e6 + index * 1e5).map((sample) => ({ ...sample, requests: 10, rss: 1e8 }))
    const text = summaryText({ requests: 10, warm: 4, samples, rest: { sockets: 0, timers: 1 }, trends: trendsOf(samples), faults: ['x'] })
    assert.match(text, /heap {6}grows: 195\.3 KB a minute \(95 % interval 195\.3 to 195\.3\), 1855\.5 KB in all\n/)
    assert.match(text, /handles {3}flat: 0\.00 a minute/)
    assert.match(text, /\nleft without connections: 0 sockets, 1 timers\n/)
    assert.match(text, /faults:\n {2}x\nFAILED: heap grows; there are faults$/)
    const endOf = (trends, faults) => summaryText({ requests: 10, warm: 4, samples, rest: {}, trends, faults }).split('\n').at(-1)
    const [heap, ...steady] = trendsOf(samples)
    assert.equal(endOf([heap, { ...heap, name: 'buffers' }, ...steady], []), 'FAILED: heap, buffers grow')
    assert.equal(endOf(steady.filter(({ verdict }) => verdict !== 'grows'), []), 'no fault')
    assert.match(sampleText(samples[0]), /10 requests, heap 5859 KB/)
  })
})

describe('the traffic of a soak', () => {
  it('is the same for the same seed', () => {
    assert.deepEqual(mixOf(createRandom(5)), mixOf(createRandom(5)))
  })

  it('has every parser, every status, and chunks', () => {
    const mix = mixOf(createRandom(1))
    const statuses = new Set(mix.map(({ expect }) => expect.status))
    assert.deepEqual([...statuses].sort(), [200, 400, 403, 413, 415])
    assert.ok(mix.some(({ chunked }) => chunked))
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream']) {
      assert.ok(mix.some(({ headers }) => headers['Content-Type'] === type), type)
    }
  })

  it('may exceed a budget, and has bodies that may stall, if the server is guarded', () => {
    const mix = mixOf(createRandom(1), true)
    assert.ok(mix.every(({ expect }) => expect.mayExceedBudget))
    const types = new Set(mix.filter(mayStall).map(({ headers }) => headers['Content-Type'].split(';')[0]))
    assert.deepEqual([...types].sort(), ['application/json', 'application/octet-stream', 'application/x-www-form-urlencoded', 'text/plain'])
    assert.ok(mixOf(createRandom(1)).every(({ expect }) => !expect.mayExceedBudget))
  })

  it('has an id of its own in every request', () => {
    const [message] = mixOf(createRandom(1))
    const [one, another] = [serialize(message), serialize(message)]
    assert.notEqual(one.id, another.id)
    assert.ok(one.bytes.includes(`X-Id: ${one.id}\r\n`))
  })

  it('is compared with the right answers', () => {
    const answer = parseResponse(Buffer.from('HTTP/1.1 200 OK\r\nX-Id: 7\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1'))
    const expect = { status: 200, text: '{}' }
    assert.deepEqual(differences(expect, '7', answer), [])
    assert.deepEqual(differences(expect, '8', answer), ['request 8 got the answer to 7'])
    assert.deepEqual(differences({ ...expect, text: '[]' }, '7', answer), ['200 {} instead of 200 []'])
    const busy = parseResponse(Buffer.from('HTTP/1.1 503 X\r\nX-Id: 7\r\nContent-Length: 15\r\n\r\nbudget.exceeded'))
    assert.deepEqual(differences({ ...expect, mayExceedBudget: true }, '7', busy), [])
    assert.deepEqual(differences(expect, '7', busy), ['503 budget.exceeded instead of 200 {}'])
    assert.deepEqual(differences(expect, '7', undefined), ['no answer to 7, which should be 200'])
  })
})

describe('npm run soak', () => {
  it('refuses wrong options in one line', () => {
    for (const [arg, message] of [
      ['--minutes=x', /--minutes must be a number from 0\.02 to 1440, not "x"/],
      ['--framework=koa', /--framework must be one of http, express, not "koa"/],
      ['--inject-fault=x', /--inject-fault must be one of leak, handles, context, rejection, not "x"/],
      ['--seed=1.5', /--seed must be a whole number/],
      ['--json=', /--json must be the name of a file/]
    ]) {
      assert.throws(() => readOptions([arg], options), message)
    }
  })
})
