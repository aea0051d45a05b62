'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const parseInSlices = require('fast-body-parser/json-slices')
const TextChunks = require('../../lib/slices/text-chunks')
const { PIECE_SIZE, assertAgree, outcomeOf, settled } = require('../support/slices')

const RUNS = Number(process.env.FUZZ_RUNS) || 1000

const likeJsonParse = async (text) => assertAgree(await settled(parseInSlices(text)), outcomeOf(() => JSON.parse(text)), JSON.stringify(text).slice(-50))

const bytesOf = (text) => Buffer.concat([...new TextChunks(text)])

describe('slices: TextChunks', () => {
  it('encodes a text piece by piece', () => {
    for (const [character, size] of [['a', 1], ['é', 2], ['日', 3], ['😀', 2], ['\ud800', 6]]) {
      const text = character.repeat(3 * PIECE_SIZE)
      const chunks = [...new TextChunks(text)]
      assert.equal(chunks.length, 3 * character.length)
      assert.ok(chunks.every(({ length }) => length <= size * (PIECE_SIZE + 1)))
      if (text.isWellFormed()) assert.equal(String(Buffer.concat(chunks)), text)
    }
    assert.deepEqual([...new TextChunks('')], [])
  })

  it('encodes it again for each iteration', () => {
    const chunks = new TextChunks('é'.repeat(2 * PIECE_SIZE))
    assert.deepEqual([...chunks], [...chunks])
  })

  it('does not cut a surrogate pair', () => {
    for (const before of [PIECE_SIZE - 2, PIECE_SIZE - 1, PIECE_SIZE]) {
      const chunks = [...new TextChunks(`${'a'.repeat(before)}😀b`)]
      for (const chunk of chunks) assert.ok(!String(chunk).includes('\\'))
      assert.equal(chunks[0].length, before === PIECE_SIZE - 1 ? PIECE_SIZE + 3 : PIECE_SIZE + (before === PIECE_SIZE - 2 ? 2 : 0))
    }
  })

  it('cuts off pieces of 32 K code units, and one more to keep a surrogate pair', () => {
    for (const [character, units] of [['\ud83d\udc00', 1], ['\ud83d\udfff', 1], ['\ud7ff', 0], ['\ue000', 0], ['\uffff', 0]]) {
      const text = `${'a'.repeat(PIECE_SIZE - units)}${character}b`
      const [{ piece }] = new TextChunks(text).encode(0)
      assert.equal(piece.length, PIECE_SIZE + units)
    }
  })

  const escaped = [
    ['\ud800', '\\ud800'], ['\udbff', '\\udbff'], ['\udc00', '\\udc00'], ['\udfff', '\\udfff'], ['\udc00\ud800', '\\udc00\\ud800'], ['\ud83d\ud83d\ude00\ude00', '\\ud83d😀\\ude00'],
    ['\\\ud800', '\\!'], ['\\\\\ud800', '\\\\\\ud800'], ['\\\\\\\udc00', '\\\\\\!'], ['\\\ud800\ud800', '\\!\\ud800'], ['\\\ud83d\ude00', '\\😀'], ['\ud7ff\ue000', '\ud7ff\ue000']
  ]
  for (const [text, encoded] of escaped) {
    it(`encodes ${JSON.stringify(text)} as ${encoded}`, () => {
      assert.equal(String(bytesOf(text)), encoded)
      assert.equal(String(bytesOf('a'.repeat(PIECE_SIZE) + text)).slice(PIECE_SIZE), encoded)
    })
  }

  it('finds the backslashes before a lone surrogate in earlier pieces', () => {
    for (const count of [1, 2, 3, 4]) {
      const text = `${'a'.repeat(PIECE_SIZE - count)}${'\\'.repeat(count)}\ud800`
      assert.equal(String(bytesOf(text)).slice(PIECE_SIZE), count % 2 === 1 ? '!' : '\\ud800')
    }
    assert.equal(String(bytesOf(`${'\\'.repeat(PIECE_SIZE + 1)}\ud800`)).slice(PIECE_SIZE), '\\!')
  })

  describe('decodes to the original text between two positions in the bytes', () => {
    const positionsOf = (text) => { // of characters
      const positions = []
      let offset = 0
      for (let index = 0; index <= text.length; index++) {
        if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(index - 1, index + 1))) positions.push([index, offset])
        if (index === text.length) break
        offset = bytesOf(text.slice(0, index + 1)).length
      }
      return positions
    }
    const texts = ['aé日😀b', '\ud800!\ud800', '!\\\ud800!\\!', '\udc00\udc00\\\\\udc00x', '\\u\ud800\\u0041', '😀\ud83d😀']
    for (const text of texts) {
      it(`for ${JSON.stringify(text)}`, () => {
        const chunks = new TextChunks(text)
        for (const isRepeated of [false, true]) {
          for (const [first, from] of positionsOf(text)) {
            for (const [last, to] of positionsOf(text)) {
              assert.equal([...chunks.decode(from, to)].join(''), text.slice(first, Math.max(first, last)), `${from} to ${to}, ${isRepeated}`)
            }
            assert.equal([...chunks.decode(from)].join(''), text.slice(first))
          }
        }
        assert.equal([...chunks.decode()].join(''), text)
      })
    }

    it('in several pieces, whether they were encoded before or not', () => {
      const text = `${'é'.repeat(PIECE_SIZE)}${'a'.repeat(PIECE_SIZE)}${'\ud800'.repeat(PIECE_SIZE)}b`
      const ends = [0, 2 * PIECE_SIZE, 3 * PIECE_SIZE, 9 * PIECE_SIZE, 9 * PIECE_SIZE + 1]
      const indexes = [0, PIECE_SIZE, 2 * PIECE_SIZE, 3 * PIECE_SIZE, 3 * PIECE_SIZE + 1]
      const used = new TextChunks(text)
      for (const step of [0, 1]) {
        for (let first = 0; first < ends.length - 1; first++) {
          for (let last = first; last < ends.length; last++) {
            const from = ends[first] + (first === 0 ? 2 : first === 2 ? 6 : 1) * step
            const expected = text.slice(indexes[first] + step, indexes[last])
            for (const chunks of [new TextChunks(text), used]) assert.equal([...chunks.decode(from, ends[last])].join(''), from < ends[last] ? expected : '')
          }
        }
      }
    })

    it('starts with the piece that contains the first position, if it was encoded before', () => {
      const chunks = new TextChunks('é'.repeat(10 * PIECE_SIZE))
      assert.equal([...chunks.encode(0)].length, 10)
      assert.equal([...chunks.encode(0)].length, 10)
      assert.equal(chunks.starts.length, 10)
      const [first] = chunks.encode(7 * 2 * PIECE_SIZE)
      assert.equal(first.offset, 7 * 2 * PIECE_SIZE)
      const [before] = chunks.encode(7 * 2 * PIECE_SIZE - 1)
      assert.equal(before.offset, 6 * 2 * PIECE_SIZE)
    })

    it('without empty pieces', () => {
      const chunks = new TextChunks('a'.repeat(3 * PIECE_SIZE))
      assert.deepEqual([...chunks.decode(5, 5)], [])
      assert.deepEqual([...chunks.decode(PIECE_SIZE, 2 * PIECE_SIZE)].map(({ length }) => length), [PIECE_SIZE])
    })

    it('stops behind the last one', () => {
      const chunks = new TextChunks('a'.repeat(4 * PIECE_SIZE))
      assert.equal([...chunks.decode(0, 2 * PIECE_SIZE)].length, 2)
      assert.equal(chunks.starts.length, 3)
    })
  })

  describe('has the outcome of JSON.parse', () => {
    it('with lone surrogates in strings and names', async () => {
      for (const text of ['"\ud800"', '"\udc00"', '"\udc00\ud800"', '"\ud83d\ud83d\ude00\ude00"', '{"\ud800":["\udc00"]}', '"\\\\\ud800"', '"\\\\\\\\\udc00"', '"!\ud800!"']) await likeJsonParse(text)
    })

    it('with lone surrogates in or near a fault', async () => {
      for (const text of ['\ud800', '[\udc00]', '"\\\ud800"', '"\\\\\\\udc00"', '["\ud800" x', '["\ud800","!\\\udc00"]', `["\ud800",${'1,'.repeat(60)}x]`, `["\ud83d${'é!😀\udc00'.repeat(30)}"\n,x]`, `["${'\udc00'.repeat(80)}`]) await likeJsonParse(text)
    })

    it('with surrogates where the text is cut', async () => {
      for (const end of ['\ud83d\ude00', '\\\ud800', '\\\\\ud800', '\\\\\\\udc00', '\ud800\ud800', '\udc00\udc00', '\\ud800\udc00', '\\\ud83d\ude00']) {
        for (let before = 0; before < 10; before++) {
          await likeJsonParse(`"${'a'.repeat(PIECE_SIZE - before)}${end}"`)
          await likeJsonParse(`"${'\\'.repeat(2 * PIECE_SIZE - before)}${end}"`)
          await likeJsonParse(`"${'a'.repeat(PIECE_SIZE - before)}${end}"x`)
        }
      }
    })

    it('with random characters', () => {
      const unit = fc.constantFrom('"', '"', '\\', '\\', 'a', '!', '\ud800', '\udc00', '\ud83d\ude00', 'é', ',', '[', ']', 'u')
      return fc.assert(fc.asyncProperty(fc.array(unit, { maxLength: 12 }), fc.nat(12), fc.boolean(), async (units, before, isLong) => {
        await likeJsonParse(`["${isLong ? 'é'.repeat(PIECE_SIZE - before) : ''}${units.join('')}"]`)
      }), { numRuns: RUNS / 2 })
    })
  })
})
