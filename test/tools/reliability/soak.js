'use strict'

const assert = require('node:assert/strict')
const { differenceOf } = require('../../../reliability/soak/client')
const soak = require('../../../reliability/soak/soak')
const { mayStall, mixOf } = require('../../../reliability/soak/traffic')
const { trendsOf } = require('../../../reliability/soak/verdict')
const { createRandom } = require('../../../tools/random')

const verdicts = ({ trends }) => Object.fromEntries(trends.map(({ name, verdict }) => [name, verdict]))

describe('a soak', function () {
  this.timeout(30_000)
  this.retries(3) // growth is clear after minutes, and these are seconds

  it('finds nothing wrong', async () => {
    const result = await soak({ minutes: 0.05, seed: 1, injectFault: null })
    assert.deepEqual(result.faults, [])
    assert.equal(verdicts(result).handles, 'flat')
    assert.ok(result.requests > 100)
  })

  it('finds nothing wrong with the options that bound clients', async () => {
    const { faults, rest } = await soak({ minutes: 0.05, seed: 1, injectFault: null, guarded: true })
    assert.deepEqual(faults, [])
    assert.deepEqual(rest, { sockets: 0, timers: 0, pending: 0, held: 0 })
  })

  it('finds the injected fault "leak": the heap grows', async () => {
    const result = await soak({ minutes: 0.05, seed: 1, injectFault: 'leak' })
    assert.equal(verdicts(result).heap, 'grows')
  })

  it('finds the injected fault "handles": timers that stay, also when all connections are closed', async () => {
    const result = await soak({ minutes: 0.05, seed: 1, injectFault: 'handles' })
    const { faults, rest } = result
    assert.equal(verdicts(result).handles, 'grows')
    assert.ok(rest.timers > 0)
    assert.equal(faults.at(-1), `${rest.timers} timers are left when all connections are closed`)
  })

  it('finds the injected fault "context": the async context of another request', async () => {
    const { faults } = await soak({ minutes: 0.02, seed: 1, injectFault: 'context' })
    assert.match(faults[0], /^next of request \d+ ran in the context of another$/)
  })

  it('finds the injected fault "rejection": a rejection that is not handled', async () => {
    const { faults } = await soak({ minutes: 0.02, seed: 1, injectFault: 'rejection' })
    assert.match(faults[0], /^unhandled rejection: Error: injected/)
  })
})

describe('the verdict of a soak', () => {
  const samplesOf = (heapOf, handles = 20) => Array.from({ length: 20 }, (_, index) =>
    ({ time: index * 30, heap: heapOf(index), buffers: 1000, handles, listeners: 9 }))
  const heapOf = (samples) => verdicts({ trends: trendsOf(samples) }).heap

  it('distinguishes growth from noise and from what V8 keeps', () => {
    assert.equal(heapOf(samplesOf((index) => 6e6 + index * 1e5)), 'grows')
    assert.equal(heapOf(samplesOf((index) => 6e6 + (index % 2) * 1e5)), 'flat')
    assert.equal(heapOf(samplesOf((index) => 6e6 + index * 1e3)), 'settles')
    assert.equal(heapOf(samplesOf((index) => 6e6 - index * 1e5)), 'flat')
  })
})

describe('the traffic of a soak', () => {
  it('has every parser, every status, and bodies that may stall', () => {
    const mix = mixOf(createRandom(1), true)
    const TYPES = ['application/json', 'application/octet-stream', 'application/x-www-form-urlencoded', 'text/plain']
    const isOf = (type) => ({ headers }) => headers['Content-Type']?.startsWith(type)
    assert.deepEqual([...new Set(mix.map(({ expect }) => expect.status))].sort(), [200, 400, 403, 413, 415])
    for (const type of TYPES) assert.ok(mix.filter(mayStall).some(isOf(type)), type)
  })

  it('is compared with the right answers', () => {
    const answer = { status: 200, headers: { 'x-id': '7' }, body: '{}' }
    const expect = { status: 200, text: '{}' }
    assert.equal(differenceOf(expect, '7', answer), null)
    assert.equal(differenceOf(expect, '8', answer), 'request 8 got the answer to 7')
    assert.equal(differenceOf({ ...expect, text: '[]' }, '7', answer), '200 {} instead of 200 []')
    const busy = { ...answer, status: 503, body: 'budget.exceeded' }
    assert.equal(differenceOf({ ...expect, mayExceedBudget: true }, '7', busy), null)
    assert.equal(differenceOf(expect, '7', busy), '503 budget.exceeded instead of 200 {}')
    assert.equal(differenceOf(expect, '7', undefined), 'no answer to 7, which should be 200')
  })
})
