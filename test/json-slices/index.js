'use strict'

const assert = require('node:assert/strict')
const { getEventListeners } = require('node:events')
const parseInSlices = require('fast-body-parser/json-slices')
const isSame = require('../support/same')
const {
  PIECE_SIZE,
  SHORTEST_SLICE,
  assertAgree,
  inChunks,
  outcomeOf,
  settled,
  spyOnSteps,
  upTo
} = require('../support/slices')

describe('json-slices', () => {
  it('returns a promise of the value of JSON.parse, or of its error', async () => {
    for (const text of ['1', '[]', ' {"a":[1,{"b":"é😀"}]} ', `["${'é😀'.repeat(PIECE_SIZE)}"]`, '', '[', '\ufeff[]',
      `[${'1,'.repeat(PIECE_SIZE)}]`]) {
      for (const source of [text, Buffer.from(text === '\ufeff[]' ? `\ufeff${text}` : text)]) {
        assertAgree(await settled(parseInSlices(source)), outcomeOf(() => JSON.parse(text)),
          JSON.stringify(text).slice(-50))
      }
    }
  })

  describe('takes UTF-8', () => {
    const bytes = Buffer.from('xx{"a":["é"]}xx').subarray(2, -2)
    function * generate () { yield * inChunks(bytes, 5) }
    const sources = {
      'a Buffer': bytes,
      'a part of the memory of another Uint8Array': Uint8Array.from(Buffer.from(`1${bytes}1`)).subarray(1, -1),
      'Buffers of one byte': inChunks(bytes, 1),
      Uint8Arrays: inChunks(bytes, 3).map((chunk) => new Uint8Array(chunk)),
      'a generator': generate(),
      'chunks, some of which are empty': [Buffer.alloc(0), ...inChunks(bytes, 2), new Uint8Array(0)]
    }
    for (const [what, source] of Object.entries(sources)) {
      it(`from ${what}`, async () => assert.deepEqual(await parseInSlices(source), { a: ['é'] }))
    }

    it('refuses it with the error of JSON.parse if it is empty', async () => {
      for (const source of [Buffer.alloc(0), [], [Buffer.alloc(0)], Buffer.from('\ufeff')]) {
        assertAgree(await settled(parseInSlices(source)), outcomeOf(() => JSON.parse('')))
      }
    })

    it('removes one byte order mark', async () => {
      for (const size of upTo(8)) {
        assert.deepEqual(await parseInSlices(inChunks('\ufeff[1]', size)), [1])
        const theirs = outcomeOf(() => JSON.parse('\ufeff[1]'))
        assertAgree(await settled(parseInSlices(inChunks('\ufeff\ufeff[1]', size))), theirs)
        assertAgree(await settled(parseInSlices(inChunks('\ufeff\ufeff[1]', size), { onProtoPoisoning: 'error' })),
          theirs)
      }
    })
  })

  it('has a depth that is unlimited by default, and beyond which it is rejected with a RangeError', async () => {
    assert.ok(Array.isArray(await parseInSlices(`${'['.repeat(1e5)}${']'.repeat(1e5)}`)))
    assert.deepEqual(await parseInSlices('[[1]]', { depth: 2 }), [[1]])
    await assert.rejects(parseInSlices('[[1]]', { depth: 1 }),
      { name: 'RangeError', message: 'the JSON exceeded the depth of 1' })
  })

  describe('with an AbortSignal', () => {
    const text = `[${'"value",'.repeat(PIECE_SIZE)}1]`

    it('that is aborted already does not start', async () => {
      const reason = new Error('gone')
      const steps = spyOnSteps()
      await assert.rejects(parseInSlices('[1]', { signal: AbortSignal.abort(reason) }), reason)
      await assert.rejects(parseInSlices('[1', { signal: AbortSignal.abort(reason) }), reason)
      steps.stop()
      assert.equal(steps.length, 0)
    })

    it('stops parsing when it is aborted', async () => {
      const controller = new AbortController()
      const steps = spyOnSteps()
      const outcome = settled(parseInSlices(text, { signal: controller.signal, slice: SHORTEST_SLICE }))
      for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
      const reason = new Error('gone')
      controller.abort(reason)
      const before = steps.length
      assert.deepEqual(await outcome, { error: reason })
      steps.stop()
      assert.ok(before > 0 && before < 8)
      assert.equal(steps.length, before)
    })

    it('does not listen to it any more when it is settled', async () => {
      const { signal } = new AbortController()
      for (const text of ['[1]', '[']) {
        const outcome = settled(parseInSlices(text, { signal }))
        assert.equal(getEventListeners(signal, 'abort').length, 1)
        await outcome
        assert.equal(getEventListeners(signal, 'abort').length, 0)
      }
    })
  })

  describe('throws a TypeError', () => {
    it('for a source or a chunk that is something else', () => {
      for (const source of [undefined, null, 5, {}, Symbol('s'), new ArrayBuffer(2)]) {
        assert.throws(() => parseInSlices(source),
          { name: 'TypeError', message: 'the source must be a string, a Uint8Array, or an iterable of Uint8Arrays' })
      }
      for (const chunk of ['text', 5, null, [1], new Uint16Array(2)]) {
        assert.throws(() => parseInSlices([Buffer.from('['), chunk]),
          { name: 'TypeError', message: 'each chunk of the source must be a Uint8Array' })
      }
    })

    for (const [name, value, message] of [
      ['slice', 0, 'must be a positive number of milliseconds'],
      ['signal', new EventTarget(), 'must be an AbortSignal'],
      ['depth', 1.5, 'must be zero, a positive integer or Infinity'],
      ['onProtoPoisoning', 'throw', "must be one of 'error', 'remove' and 'ignore'"],
      ['onConstructorPoisoning', true, "must be one of 'error', 'remove' and 'ignore'"]
    ]) {
      it(`for the option ${name} ${String(value)}`, () => assert.throws(() => parseInSlices('1', { [name]: value }),
        { name: 'TypeError', message: `option ${name} ${message}` }))
    }

    it('for the option reviver', () => assert.throws(() => parseInSlices('1', { reviver () {} }),
      { name: 'TypeError', message: /^option reviver is not supported/ }))
  })

  it('has the default of an option that is undefined or null', async () => {
    for (const value of [undefined, null]) {
      const names = ['slice', 'signal', 'depth', 'onProtoPoisoning', 'onConstructorPoisoning']
      const options = Object.fromEntries(names.map((name) => [name, value]))
      assert.ok(isSame(await parseInSlices('{"__proto__":1}', options), JSON.parse('{"__proto__":1}')))
    }
    for (const options of [undefined, null, 5, { reviver: 5 }]) assert.equal(await parseInSlices('1', options), 1)
  })
})
