'use strict'

const assert = require('node:assert/strict')
const parse = require('../../lib/json-slices/parse-chunks')
const { ENDLESS_TASK, PIECE_SIZE, inChunks, settled, spyOnSteps } = require('../support/slices')

describe('slices: parse', () => {
  it('parses at most 32 KB in a step, whatever the size of the chunks', async () => {
    const text = JSON.stringify(Array.from({ length: 3 * PIECE_SIZE }, (_, index) => index % 10))
    const steps = spyOnSteps()
    await parse(inChunks(text, text.length), ENDLESS_TASK)
    steps.stop()
    assert.equal(steps.length, Math.ceil(text.length / PIECE_SIZE))
  })

  it('parses an array of many runs', async () => {
    const count = 10_000
    const value = await parse(inChunks(`[${'0,1,'.repeat(count)}2]`, 140), ENDLESS_TASK)
    assert.equal(value.length, 2 * count + 1)
    assert.ok(value.every((item, index) => item === (index === 2 * count ? 2 : index % 2)))
  })

  it('can pause before each step, and only then', async () => {
    const log = []
    const task = { pause: async () => { log.push('pause') } }
    const text = `[1,${'['.repeat(600)}${']'.repeat(600)}]` // two chunks, but more steps
    const steps = spyOnSteps(() => log.push('step'))
    await parse(inChunks(text, 1000), task)
    steps.stop()
    assert.ok(steps.length > 3, `${steps.length} steps`)
    assert.deepEqual(log, [...steps.flatMap(() => ['pause', 'step']), 'pause'])
  })

  it('rejects with what is thrown by the chunks', async () => {
    const reason = new RangeError('no memory')
    const chunks = { * [Symbol.iterator] () { throw reason } }
    assert.deepEqual(await settled(parse(chunks, ENDLESS_TASK)), { error: reason })
  })

  it('parses nothing behind a fault', async () => {
    const chunks = Array(100).fill(Buffer.from('[x,'))
    const steps = spyOnSteps()
    const { error } = await settled(parse(chunks, ENDLESS_TASK))
    steps.stop()
    assert.equal(error.name, 'SyntaxError')
    assert.equal(steps.length, 1)
  })
})
