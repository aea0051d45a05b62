'use strict'

const assert = require('node:assert/strict')
const { readPath } = require('../../../lib/records/json-array/json-pointer')

describe('json-array: option path', () => {
  const rows = [
    ['', []], [undefined, []], [null, []], ['/', ['']], ['/a/b', ['a', 'b']], ['/a~1b/~0~01', ['a/b', '~~1']],
    ['//x', ['', 'x']], ['/é 0', ['é 0']]
  ]
  for (const [pointer, keys] of rows) {
    it(`gives the keys of "${pointer}"`, () => assert.deepEqual(readPath(pointer), keys))
  }

  it('is none without its slash, or with a tilde that stands for nothing', () => {
    for (const text of ['a', 'a/b', '/~', '/~2', '/a~/b', '#/a', 5, ['a']]) {
      assert.throws(() => readPath(text),
        { name: 'TypeError', message: "option path must be a JSON Pointer to the array, such as '/data/items'" })
    }
  })
})
