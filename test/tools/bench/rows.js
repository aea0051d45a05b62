'use strict'

const assert = require('node:assert/strict')
const qs = require('qs')
const { form, json, split } = require('../../../bench/rows/bodies')

describe('the bodies of the rows of bench/', () => {
  for (const bytes of [100, 200, 274, 300, 6558, 60000, 208500, 1048576]) {
    for (const ascii of [true, false]) {
      it(`include JSON of exactly ${bytes} bytes${ascii ? '' : ', not ASCII'}`, () => {
        const content = json(bytes, ascii)
        assert.equal(content.bytes.length, bytes)
        assert.deepEqual(JSON.parse(content.bytes), content.value)
        assert.equal(content.bytes.every((byte) => byte < 128), ascii)
      })
    }
  }

  it('have 500 records in 208 KB of JSON', () => {
    assert.equal(json(208500).value.length, 500)
  })

  for (const nested of [false, true]) {
    it(`include ${nested ? 'nested' : 'flat'} forms that qs reads as the value of the row`, () => {
      const content = form(50, nested)
      assert.deepEqual({ ...qs.parse(content.bytes.toString()) }, content.value)
    })
  }

  it('are split into chunks that join to the same bytes', () => {
    const { bytes } = json(1000)
    const chunks = split(bytes, 64)
    assert.deepEqual(chunks.map(({ length }) => length), [...Array(15).fill(64), 40])
    assert.ok(Buffer.concat(chunks).equals(bytes))
  })
})
