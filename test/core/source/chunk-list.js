'use strict'

const assert = require('node:assert/strict')
const ChunkList = require('../../../lib/core/source/chunk-list')

const SMALL = 2047 // bytes, the most that are copied

/** Writes whole chunks. */
function write (bytes, ...chunks) {
  for (const chunk of chunks) bytes.write(chunk, 0, chunk.length)
  return bytes
}

describe('ChunkList', () => {
  it('copies small pieces together, and no larger one', () => {
    const [small, large] = [Buffer.alloc(SMALL, 'a'), Buffer.alloc(SMALL + 1, 'b')]
    const pieces = write(new ChunkList(), small, small, large, small).pieces()
    assert.deepEqual(pieces.map(({ length }) => length), [2 * SMALL, SMALL + 1, SMALL])
    assert.equal(pieces[1], large)
    assert.notEqual(pieces[2].buffer, small.buffer)
  })

  it('copies every piece, as one of copies', () => {
    const large = Buffer.alloc(SMALL + 1, 'b')
    const bytes = write(ChunkList.ofCopies(), large, large, Uint8Array.of(1))
    assert.deepEqual(bytes.pieces(), [Buffer.concat([large, large, Uint8Array.of(1)])])
  })

  it('takes a range of a chunk', () => {
    const chunk = Buffer.alloc(3 * SMALL, 'abcdefg')
    for (const [start, end] of [[5, 10], [SMALL, 2 * SMALL], [SMALL, 2 * SMALL + 1], [1, 3 * SMALL - 1]]) {
      const bytes = new ChunkList()
      bytes.write(chunk, start, end)
      const [piece] = bytes.pieces()
      assert.equal(bytes.length, end - start)
      assert.deepEqual(piece, chunk.subarray(start, end))
      assert.equal(piece.buffer === chunk.buffer, end - start > SMALL)
    }
  })

  it('copies together as many bytes as it may, and not one more', () => {
    const [chunk, large] = [Buffer.alloc(10), Buffer.alloc(100)]
    const bytes = write(new ChunkList([], 20), chunk)
    for (let i = 1; i <= 4; i++) bytes.write(large, 50, 60)
    assert.deepEqual(bytes.pieces().map(({ length }) => length), [20, 20, 10])
  })

  it('takes memory for the pieces of one byte a few times only, and at most twice what they need', () => {
    const bytes = new ChunkList()
    const seen = new Set()
    for (let i = 1; i <= 1024; i++) {
      write(bytes, Buffer.of(i))
      seen.add(bytes.tail)
      assert.ok(bytes.tail.length <= (i <= 64 ? 64 : 2 * i), `${bytes.tail.length} bytes for ${i}`)
    }
    assert.ok(seen.size <= 6, `${seen.size} times`)
  })

  it('joins its pieces once, and leaves those that it has given as they are', () => {
    const large = 'a'.repeat(SMALL + 1)
    const bytes = write(new ChunkList(), Buffer.from(large), Buffer.from('then '))
    const joined = bytes.join()
    assert.equal(bytes.join().byteOffset, joined.byteOffset)
    assert.equal(bytes.join().buffer, joined.buffer)
    write(bytes, Buffer.from('last'))
    assert.deepEqual([joined, bytes.join()].map(String), [`${large}then `, `${large}then last`])
  })
})
