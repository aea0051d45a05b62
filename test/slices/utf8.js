'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const BufferChunks = require('../../lib/slices/buffer-chunks')
const { PIECE_SIZE, decodableLength } = require('../../lib/slices/utf8')
const { inChunks, upTo } = require('../support/slices')

describe('slices: UTF-8', () => {
  it('has pieces of 32 KB', () => assert.equal(PIECE_SIZE, 32 * 1024))

  describe('can be decoded up to a last character of several bytes:', () => {
    const rows = [
      ['', 0], ['61', 1], ['7f', 1], ['6162', 2],
      ['c3', 0], ['61c3', 1], ['61c3a9', 1], ['dfbf', 0], ['c3a961', 3], ['61df', 1],
      ['e2', 0], ['e282', 0], ['e282ac', 0], ['61e282', 1], ['61e282ac', 1], ['e282ac61', 4],
      ['f0', 0], ['f09f', 0], ['f09f98', 0], ['f09f9880', 0], ['61f09f98', 1], ['6161f09f9880', 2], ['f09f988061', 5],
      ['c0', 0], ['ff', 0], ['61ff', 1],
      ['80', 1], ['8080', 2], ['808080', 3], ['80808080', 4], ['61808080', 4], ['bf', 1], ['61bf', 2], ['e28261', 3], ['c380808080', 5]
    ]
    for (const [hex, length] of rows) {
      it(`${length} bytes of ${hex || 'nothing'}`, () => assert.equal(decodableLength(Buffer.from(hex, 'hex')), length))
    }
  })

  const decoded = (chunks, from = 0, to = Infinity) => [...new BufferChunks(chunks).decode(from, to)].join('')

  it('is decoded as in one piece, wherever it is cut', () => fc.assert(fc.property(
    fc.array(fc.constantFrom('61', 'c3a9', 'e282ac', 'f09f9880', '80', 'c3', 'e2', 'f0', 'ff', 'eda080'), { maxLength: 20 }), fc.integer({ min: 1, max: 6 }),
    (parts, size) => {
      const bytes = Buffer.from(parts.join(''), 'hex')
      assert.equal(decoded(inChunks(bytes, size)), String(bytes))
    }
  )))

  it('is decoded from one position to another', () => {
    const text = 'aé€😀b'
    const bytes = Buffer.from(text)
    const positions = [0, 1, 3, 6, 10, 11]
    for (const size of upTo(12)) {
      for (const from of positions) {
        for (const to of [...positions, 12, Infinity]) {
          assert.equal(decoded(inChunks(bytes, size), from, to), String(bytes.subarray(from, Math.max(from, to))), `${from} to ${to} in chunks of ${size}`)
        }
      }
    }
  })

  it('is decoded in pieces of at most 32 KB and a character', () => {
    for (const [character, size] of [['a', 1], ['é', 2], ['€', 3], ['😀', 4]]) {
      const bytes = Buffer.from(`x${character.repeat(3 * PIECE_SIZE / size)}`)
      const pieces = [...new BufferChunks([bytes]).decode()]
      assert.equal(pieces.join(''), String(bytes))
      assert.ok(pieces.every((piece) => Buffer.byteLength(piece) <= PIECE_SIZE + 3), character)
      assert.ok(pieces.length <= 5, `${pieces.length} pieces`)
    }
  })

  it('is decoded in as few pieces as possible', () => {
    const pieces = [...new BufferChunks([Buffer.alloc(2 * PIECE_SIZE, 'a'), Buffer.from('b')]).decode()]
    assert.deepEqual(pieces.map(({ length }) => length), [PIECE_SIZE, PIECE_SIZE, 1, 0]) // the last is for an unfinished character
  })

  it('is read to the chunk behind the last position at most', () => {
    const chunks = (function * () {
      yield Buffer.from('ab')
      yield Buffer.from('cd')
      yield Buffer.from('ef')
      assert.fail('read')
    })()
    assert.equal(decoded(chunks, 1, 4), 'bcd')
  })
})
