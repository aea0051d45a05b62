'use strict'

const assert = require('node:assert/strict')
const Chunks = require('../../lib/slices/chunks')
const parse = require('../../lib/slices/parse')
const { ENDLESS_TASK, PIECE_SIZE, chunksOf, settled, spyOnSteps } = require('../support/slices')

describe('slices: parse', () => {
  it('parses at most 32 KB in a step, whatever the size of the chunks', async () => {
    const text = JSON.stringify(Array.from({ length: 3 * PIECE_SIZE }, (_, index) => index % 10))
    const steps = spyOnSteps()
    await parse(chunksOf(text, text.length), ENDLESS_TASK)
    steps.stop()
    assert.equal(steps.length, Math.ceil(text.length / PIECE_SIZE))
  })

  it('parses an array of many runs', async () => {
    const count = 100_000
    const value = await parse(chunksOf(`[${'0,1,'.repeat(count)}2]`, 140), ENDLESS_TASK)
    assert.equal(value.length, 2 * count + 1)
    assert.ok(value.every((item, index) => item === (index === 2 * count ? 2 : index % 2)))
  })

  it('can yield before each step, and only then', async () => {
    const log = []
    const task = { shouldYield: () => true, yield: async () => { log.push('yield') } }
    const text = `[1,${'['.repeat(600)}${']'.repeat(600)}]` // two chunks, but more steps
    const steps = spyOnSteps(() => log.push('step'))
    await parse(chunksOf(text, 1000), task)
    steps.stop()
    assert.ok(steps.length > 3, `${steps.length} steps`)
    assert.deepEqual(log, [...steps.flatMap(() => ['yield', 'step']), 'yield'])
  })

  it('can yield between the pieces that it reads to find the message of an error', async () => {
    let yields = 0
    const task = { shouldYield: () => true, yield: async () => { yields++ } }
    const text = `[${'"é",'.repeat(PIECE_SIZE)}x]`
    const { error } = await settled(parse(chunksOf(text, 3 * PIECE_SIZE), task))
    assert.match(error.message, /^Unexpected token '?x/)
    const pieces = Math.floor(Buffer.byteLength(text) / PIECE_SIZE)
    assert.ok(yields >= 2 * pieces, `${yields} for ${pieces} pieces`)
  })

  it('rejects with what is thrown by the chunks', async () => {
    const reason = new RangeError('no memory')
    const chunks = { * [Symbol.iterator] () { throw reason } }
    assert.deepEqual(await settled(parse(chunks, ENDLESS_TASK)), { error: reason })
  })

  it('parses nothing behind a fault', async () => {
    const chunks = new Chunks(Array(100).fill(Buffer.from('[x,')), 300)
    const steps = spyOnSteps()
    const { error } = await settled(parse(chunks, ENDLESS_TASK))
    steps.stop()
    assert.equal(error.name, 'SyntaxError')
    assert.equal(steps.length, 1)
  })
})
