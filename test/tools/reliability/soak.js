'use strict'

const assert = require('node:assert/strict')
const createRandom = require('../../../perf/random')
const { readArguments } = require('../../../reliability/soak/arguments')
const { answerIn, differences, wireOf } = require('../../../reliability/soak/connection')
const fitLine = require('../../../reliability/soak/line')
const soak = require('../../../reliability/soak/soak')
const mixOf = require('../../../reliability/soak/traffic')
const { trendsOf } = require('../../../reliability/soak/verdict')
const { sampleText, summaryText } = require('../../../reliability/soak/words')

const verdicts = ({ trends }) => Object.fromEntries(trends.map(({ name, verdict }) => [name, verdict]))

describe('soak', function () {
  this.timeout(30_000)
  this.retries(3) // what grows shows in minutes, and these are seconds

  for (const framework of ['http', 'express']) {
    it(`finds nothing wrong with ${framework}`, async () => {
      const samples = []
      const result = await soak({ minutes: 0.05, framework, seed: 1, plant: null }, (sample) => samples.push(sample))
      assert.deepEqual(result.faults, [])
      assert.equal(verdicts(result).handles, 'flat')
      assert.equal(samples.length, result.samples.length)
      assert.ok(result.requests > 100)
    })
  }

  it('finds a leak', async () => {
    const result = await soak({ minutes: 0.05, framework: 'http', seed: 1, plant: 'leak' })
    assert.equal(verdicts(result).heap, 'grows')
  })

  it('finds handles that stay', async () => {
    const result = await soak({ minutes: 0.05, framework: 'http', seed: 1, plant: 'handles' })
    assert.equal(verdicts(result).handles, 'grows')
  })

  it('finds a context that crosses', async () => {
    const { faults } = await soak({ minutes: 0.02, framework: 'http', seed: 1, plant: 'context' })
    assert.match(faults[0], /^next of request \d+ ran in the context of another$/)
  })

  it('finds a rejection that nobody handles', async () => {
    const { faults } = await soak({ minutes: 0.02, framework: 'http', seed: 1, plant: 'rejection' })
    assert.match(faults[0], /^unhandled rejection: Error: planted/)
  })
})

describe('soak: the line', () => {
  it('is that of least squares', () => {
    const { slope, low, high } = fitLine([1, 2, 3, 4, 5], [2, 4, 5, 4, 5])
    assert.ok(Math.abs(slope - 0.6) < 1e-9)
    // standard error sqrt(0.8 / 10), three degrees of freedom
    assert.ok(Math.abs(high - slope - 3.18 * Math.sqrt(0.08)) < 1e-9)
    assert.ok(Math.abs(low + high - 2 * slope) < 1e-9)
  })

  it('is exact through points on a line', () => {
    assert.deepEqual(fitLine([0, 1, 2], [1, 3, 5]), { slope: 2, low: 2, high: 2 })
  })

  it('covers the true slope about 95 times of 100', () => {
    const random = createRandom(1)
    const xs = Array.from({ length: 30 }, (_, index) => index)
    let covered = 0
    for (let i = 0; i < 1000; i++) {
      const { low, high } = fitLine(xs, xs.map((x) => 0.5 * x + random() + random() + random()))
      if (low <= 0.5 && high >= 0.5) covered++
    }
    assert.ok(covered > 930 && covered < 970, `${covered}`)
  })
})

describe('soak: the verdict', () => {
  const samplesOf = (heapOf, handles = 20) => Array.from({ length: 20 }, (_, index) =>
    ({ time: index * 30, heap: heapOf(index), buffers: 1000, handles }))
  const heapOf = (samples) => verdicts({ trends: trendsOf(samples) }).heap

  it('tells growth, noise and what V8 keeps apart', () => {
    assert.equal(heapOf(samplesOf((index) => 6e6 + index * 1e5)), 'grows')
    assert.equal(heapOf(samplesOf((index) => 6e6 + (index % 2) * 1e5)), 'flat')
    assert.equal(heapOf(samplesOf((index) => 6e6 + index * 1e3)), 'settles')
    assert.equal(heapOf(samplesOf((index) => 6e6 - index * 1e5)), 'flat')
  })

  it('is told in words', () => {
    const samples = samplesOf((index) => 6e6 + index * 1e5).map((sample) => ({ ...sample, requests: 10, rss: 1e8 }))
    const text = summaryText({ requests: 10, warm: 4, samples, trends: trendsOf(samples), faults: ['x'] })
    assert.match(text, /heap {5}grows: 195\.3 KB a minute \(95 % interval 195\.3 to 195\.3\), 1855\.5 KB in all\n/)
    assert.match(text, /handles {2}flat: 0\.00 a minute/)
    assert.match(text, /faults:\n {2}x\nFAILED: heap grows; there are faults$/)
    const endOf = (trends, faults) => summaryText({ requests: 10, warm: 4, samples, trends, faults }).split('\n').at(-1)
    const [heap, ...steady] = trendsOf(samples)
    assert.equal(endOf([heap, { ...heap, name: 'buffers' }, ...steady], []), 'FAILED: heap, buffers grow')
    assert.equal(endOf(steady.filter(({ verdict }) => verdict !== 'grows'), []), 'no fault')
    assert.match(sampleText(samples[0]), /10 requests, heap 5859 KB/)
  })
})

describe('soak: the traffic', () => {
  it('is the same for the same seed', () => {
    assert.deepEqual(mixOf(createRandom(5)), mixOf(createRandom(5)))
  })

  it('has every parser, every kind of answer, and chunks', () => {
    const mix = mixOf(createRandom(1))
    const statuses = new Set(mix.map(({ expect }) => expect.status))
    assert.deepEqual([...statuses].sort(), [200, 400, 403, 413, 415])
    assert.ok(mix.some(({ chunked }) => chunked))
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream']) {
      assert.ok(mix.some(({ headers }) => headers['Content-Type'] === type), type)
    }
  })

  it('has an id in every request, of its own', () => {
    const [message] = mixOf(createRandom(1))
    const [one, another] = [wireOf(message), wireOf(message)]
    assert.notEqual(one.id, another.id)
    assert.ok(one.bytes.includes(`X-Id: ${one.id}\r\n`))
  })

  it('is held against what must be answered', () => {
    const answer = answerIn(Buffer.from('HTTP/1.1 200 OK\r\nX-Id: 7\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1'))
    const expect = { status: 200, text: '{}' }
    assert.deepEqual(answer, { length: 49, status: 200, id: '7', text: '{}' })
    assert.deepEqual(differences(expect, '7', answer), [])
    assert.deepEqual(differences(expect, '8', answer), ['request 8 got the answer to 7'])
    assert.deepEqual(differences({ ...expect, text: '[]' }, '7', answer), ['200 {} instead of 200 []'])
    assert.deepEqual(differences(expect, '7', undefined), ['no answer to 7, which should be 200'])
    assert.equal(answerIn(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{')), null)
  })
})

describe('soak: arguments', () => {
  it('have defaults', () => {
    const { minutes, framework, plant, json } = readArguments([])
    assert.deepEqual({ minutes, framework, plant, json }, { minutes: 10, framework: 'http', plant: null, json: null })
  })

  it('are refused in one line', () => {
    assert.throws(() => readArguments(['--minutes=x']), /^Error: --minutes must be a number from 0\.02 to 1440, not "x"$/)
    assert.throws(() => readArguments(['--framework=koa']), /--framework must be http or express, not "koa"/)
    assert.throws(() => readArguments(['--plant=x']), /--plant must be one of leak, handles, context, rejection/)
    assert.throws(() => readArguments(['--seed=1.5']), /--seed must be a whole number/)
    assert.throws(() => readArguments(['--json=']), /--json needs the name of a file/)
    assert.throws(() => readArguments(['--nope']), /Unknown option '--nope'; --help tells what there is/)
  })
})
