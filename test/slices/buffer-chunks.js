'use strict'

const assert = require('node:assert/strict')
const BufferChunks = require('../../lib/slices/buffer-chunks')
const { chunksOf, upTo } = require('../support/slices')

const MARK = Buffer.from('\ufeff')
const text = (chunks) => [...chunks.decode()].join('')

describe('slices: BufferChunks', () => {
  it('iterates over its Buffers', () => {
    const list = [Buffer.from('a'), Buffer.from('b')]
    assert.deepEqual([...new BufferChunks(list, 2)], list)
  })

  it('decodes all of its text, or the part between two positions', () => {
    for (const size of upTo(10)) {
      const chunks = chunksOf('aé€😀', size)
      assert.equal(text(chunks), 'aé€😀')
      assert.equal([...chunks.decode(1)].join(''), 'é€😀')
      assert.equal([...chunks.decode(1, 6)].join(''), 'é€')
      assert.equal([...chunks.decode(0, 1)].join(''), 'a')
    }
  })

  it('removes a byte order mark, wherever it is cut', () => {
    for (const size of upTo(6)) {
      const chunks = chunksOf('\ufeffab', size)
      const rest = chunks.withoutByteOrderMark()
      assert.deepEqual([rest.length, Buffer.concat([...rest]).toString()], [2, 'ab'])
      assert.equal(chunks.length, 5)
      assert.equal(Buffer.concat([...chunks]).length, 5)
    }
    assert.deepEqual([chunksOf(MARK, 1).withoutByteOrderMark().length, text(chunksOf(MARK, 2).withoutByteOrderMark())], [0, ''])
  })

  it('removes a byte order mark that is cut unevenly', () => {
    for (const lengths of [[1, 2, 4], [1, 1, 5], [2, 1, 4], [3, 4], [2, 5]]) {
      let start = 0
      const bytes = Buffer.from('\ufeffabcd')
      const chunks = new BufferChunks(lengths.map((length) => {
        start += length
        return bytes.subarray(start - length, start)
      }), bytes.length)
      assert.equal(Buffer.concat([...chunks.withoutByteOrderMark()]).toString(), 'abcd')
    }
  })

  it('removes no bytes of later chunks', () => {
    const rest = new BufferChunks([Buffer.from('\ufeffabcd'), Buffer.from('efghijklmnop')], 19).withoutByteOrderMark()
    assert.equal(Buffer.concat([...rest]).toString(), 'abcdefghijklmnop')
  })

  it('looks for a byte order mark in the first three chunks only', () => {
    const list = [...'abc'].map((text) => Buffer.from(text))
    const chunks = new BufferChunks([...list, { subarray: () => assert.fail('looked at') }], 4)
    assert.equal(chunks.withoutByteOrderMark(), chunks)
  })

  it('removes one byte order mark only', () => {
    const rest = chunksOf('\ufeff\ufeff1', 2).withoutByteOrderMark()
    assert.deepEqual(Buffer.concat([...rest]), Buffer.from('\ufeff1'))
  })

  it('stays the same without a byte order mark, and with a part of one', () => {
    for (const bytes of [Buffer.from('ab'), Buffer.from('abcd'), Buffer.alloc(0), MARK.subarray(0, 2), MARK.subarray(1), Buffer.from('a\ufeff')]) {
      for (const size of [1, 2, 5]) {
        const chunks = chunksOf(bytes, size)
        assert.equal(chunks.withoutByteOrderMark(), chunks)
      }
    }
  })
})
