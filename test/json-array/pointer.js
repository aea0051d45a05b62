'use strict'

const assert = require('node:assert/strict')
const { readPointer } = require('../../lib/json-array/pointer')

describe('json-array: a pointer', () => {
  const rows = [['', []], ['/', ['']], ['/a/b', ['a', 'b']], ['/a~1b/~0~01', ['a/b', '~~1']], ['//x', ['', 'x']], ['/é 0', ['é 0']]]
  for (const [pointer, keys] of rows) {
    it(`gives the keys of "${pointer}"`, () => assert.deepEqual(readPointer(pointer), keys))
  }

  it('is none without its slash, or with a tilde that stands for nothing', () => {
    for (const text of ['a', 'a/b', '/~', '/~2', '/a~/b', '#/a']) assert.equal(readPointer(text), null)
  })
})
