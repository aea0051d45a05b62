'use strict'

const assert = require('node:assert/strict')
const { TextChunks } = require('../../lib/json-slices/utf8')
const { PIECE_SIZE } = require('../support/slices')

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
    const again = new TextChunks('é'.repeat(2 * PIECE_SIZE))
    assert.deepEqual([...again], [...again])
  })

  it('cuts off pieces of 32 K code units, and one more to keep a surrogate pair', () => {
    for (const [character, units] of [['\ud83d\udc00', 1], ['\ud83d\udfff', 1], ['\ud7ff', 0], ['\ue000', 0],
      ['\uffff', 0]]) {
      const text = `${'a'.repeat(PIECE_SIZE - units)}${character}b`
      const [piece] = new TextChunks(text)
      assert.equal(String(piece), text.slice(0, PIECE_SIZE + units))
    }
  })

  it('tells whether it has met a lone surrogate', () => {
    const chunks = new TextChunks(`😀${'a'.repeat(PIECE_SIZE)}\ud800${'a'.repeat(PIECE_SIZE)}`)
    const pieces = chunks[Symbol.iterator]()
    const states = Array.from({ length: 3 }, () => {
      pieces.next()
      return chunks.isWellFormed
    })
    assert.deepEqual(states, [true, false, false])
  })

  const escaped = [
    ['\ud800', '\\ud800'], ['\udfff', '\\udfff'], ['\udc00\ud800', '\\udc00\\ud800'],
    ['\ud83d\ud83d\ude00\ude00', '\\ud83d😀\\ude00'], ['\\\ud800', '\\!'], ['\\\\\ud800', '\\\\\\ud800'],
    ['\\\ud800\ud800', '\\!\\ud800'], ['\ud7ff\ue000', '\ud7ff\ue000']
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
})
