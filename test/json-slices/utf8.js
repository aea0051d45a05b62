'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const { PIECE_SIZE, decodableLength, decode, piecesOf, withoutByteOrderMark } = require('../../lib/json-slices/utf8')
const { inChunks, upTo } = require('../support/slices')

describe('slices: UTF-8', () => {
  describe('can be decoded up to a last character of several bytes:', () => {
    const rows = [
      ['', 0], ['61', 1], ['c3', 0], ['61c3a9', 1], ['c3a961', 3], ['e282', 0], ['61e282ac', 1], ['e282ac61', 4],
      ['f09f98', 0], ['6161f09f9880', 2], ['61ff', 1], ['808080', 3], ['61808080', 4], ['c380808080', 5]
    ]
    for (const [hex, length] of rows) {
      it(`${length} bytes of ${hex || 'nothing'}`, () => assert.equal(decodableLength(Buffer.from(hex, 'hex')), length))
    }
  })

  it('is decoded as in one piece, wherever it is cut', () => fc.assert(fc.property(
    fc.array(fc.constantFrom('61', 'c3a9', 'e282ac', 'f09f9880', '80', 'c3', 'e2', 'f0', 'ff', 'eda080'),
      { maxLength: 20 }), fc.integer({ min: 1, max: 6 }),
    (parts, size) => {
      const bytes = Buffer.from(parts.join(''), 'hex')
      assert.equal([...decode(inChunks(bytes, size))].join(''), String(bytes))
    }
  )))

  it('is decoded in pieces of at most 32 KB and a character', () => {
    for (const [character, size] of [['a', 1], ['é', 2], ['€', 3], ['😀', 4]]) {
      const bytes = Buffer.from(`x${character.repeat(3 * PIECE_SIZE / size)}`)
      const pieces = [...decode([bytes])]
      assert.equal(pieces.join(''), String(bytes))
      assert.ok(pieces.every((piece) => Buffer.byteLength(piece) <= PIECE_SIZE + 3), character)
      assert.ok(pieces.length <= 5, `${pieces.length} pieces`)
    }
  })

  it('is cut into pieces of at most 32 KB', () => {
    const sizes = [1, PIECE_SIZE, 0, 2 * PIECE_SIZE + 1]
    const chunks = sizes.map((size) => Buffer.alloc(size, 'a'))
    assert.deepEqual([...piecesOf(chunks)].map(({ length }) => length), [1, PIECE_SIZE, PIECE_SIZE, PIECE_SIZE, 1])
    assert.equal(Buffer.concat([...piecesOf(chunks)]).length, 3 * PIECE_SIZE + 2)
  })

  describe('has no byte order mark', () => {
    const MARK = Buffer.from('\ufeff')
    const rest = (chunks) => Buffer.concat(withoutByteOrderMark(chunks))

    it('at its start, wherever that is cut', () => {
      for (const size of upTo(6)) {
        const chunks = inChunks('\ufeffab', size)
        assert.equal(String(rest(chunks)), 'ab')
        assert.equal(Buffer.concat(chunks).length, 5, 'changes no list')
      }
      for (const lengths of [[1, 2, 4], [1, 1, 5], [2, 1, 4], [3, 4], [2, 5], [0, 0, 1, 0, 2, 4]]) {
        let start = 0
        const bytes = Buffer.from('\ufeffabcd')
        assert.equal(String(rest(lengths.map((length) => {
          start += length
          return bytes.subarray(start - length, start)
        }))), 'abcd')
      }
    })

    it('but a second one', () => assert.deepEqual(rest(inChunks('\ufeff\ufeff1', 2)), Buffer.from('\ufeff1')))

    it('and no empty chunks', () => {
      for (const chunks of [[], [Buffer.alloc(0)], [MARK], inChunks(MARK, 1),
        [Buffer.alloc(0), MARK, Buffer.alloc(0)]]) {
        assert.deepEqual(withoutByteOrderMark(chunks), [])
      }
    })

    it('where there is none, or a part of one', () => {
      for (const bytes of [Buffer.from('ab'), Buffer.from('abcd'), MARK.subarray(0, 2), MARK.subarray(1),
        Buffer.from('a\ufeff')]) {
        for (const size of [1, 2, 5]) assert.deepEqual(rest(inChunks(bytes, size)), bytes)
      }
    })
  })
})
