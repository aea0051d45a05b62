'use strict'

const assert = require('node:assert/strict')
const PagedStack = require('../../lib/json-slices/paged-stack')

const PAGE_SIZE = 16_384

describe('slices: PagedStack', () => {
  it('returns the item last, of as many as there are', () => {
    const stack = new PagedStack()
    for (const count of [1, 2, PAGE_SIZE, PAGE_SIZE + 1, 3 * PAGE_SIZE, 3 * PAGE_SIZE + 1]) {
      for (let item = 0; item < count; item++) stack.push(item)
      for (let item = count - 1; item >= 0; item--) {
        if (stack.pop() !== item) assert.fail(`not ${item} of ${count}`)
      }
    }
  })

  it('can be pushed to and popped from where a page ends', () => {
    const stack = new PagedStack()
    for (let item = 0; item < PAGE_SIZE; item++) stack.push(item)
    for (let left = 3; left > 0; left--) {
      stack.push('a')
      stack.push('b')
      assert.deepEqual([stack.pop(), stack.pop()], ['b', 'a'])
    }
    assert.equal(stack.pop(), PAGE_SIZE - 1)
  })

  it('has arrays of at most 16,384 items, which are not copied when more are pushed', () => {
    const stack = new PagedStack()
    for (let item = 0; item < 2 * PAGE_SIZE + 1; item++) stack.push(item)
    assert.deepEqual([...stack.fullPages, stack.page].map(({ length }) => length), [PAGE_SIZE, PAGE_SIZE, 1])
  })
})
