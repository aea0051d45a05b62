'use strict'

const assert = require('node:assert/strict')
const ChunkSource = require('../../lib/web/chunk-source')

describe('a source of chunks', () => {
  it('gives an error that is thrown for a chunk to who has asked for it, once', () => {
    const seen = []
    const source = new ChunkSource()
    const full = () => { throw new RangeError('no memory') }
    source.read(full, (error) => seen.push(error.message))
    source.give(new Uint8Array(1))
    source.fail(new Error('nothing waits'))
    assert.deepEqual([seen, source.isAwaited], [['no memory'], false])
  })
})
