'use strict'

const assert = require('node:assert/strict')
const { joinForGood, joinForNow } = require('../../lib/join')

const MIB = 1024 * 1024 // bytes

describe('join', () => {
  const chunks = (...texts) => texts.map((text) => Buffer.from(text))

  it('puts chunks together', () => {
    for (const join of [joinForGood, joinForNow]) {
      assert.equal(String(join(chunks('a', 'bc', '', 'd'), 4)), 'abcd')
      assert.equal(join(chunks('longer', 'than the next'), 19).length, 19)
      assert.equal(String(join(chunks('sho', 'rt'), 5)), 'short')
    }
  })

  it('for good gives memory of its own', () => {
    const kept = joinForGood(chunks('ke', 'pt'), 4)
    joinForGood(chunks('ot', 'her'), 5)
    joinForNow(chunks('ot', 'her'), 5)
    assert.equal(String(kept), 'kept')
  })

  it('for now gives the same memory again, unless a body is large', () => {
    const once = joinForNow([Buffer.alloc(MIB - 1), Buffer.alloc(1)], MIB)
    const again = joinForNow(chunks('a', 'b'), 2)
    const large = joinForNow([Buffer.alloc(MIB, 1), Buffer.alloc(1, 2)], MIB + 1)
    assert.equal(again.buffer, once.buffer)
    assert.notEqual(large.buffer, once.buffer)
    assert.deepEqual([large.length, large[0], large[MIB]], [MIB + 1, 1, 2])
  })
})
