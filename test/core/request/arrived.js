'use strict'

const assert = require('node:assert/strict')
const { hasArrived } = require('../../../lib/core/request/facts')

// [what, fields of the stream, bytes that have been read, whether the body has arrived]
const rows = [
  ['all bytes that the stream has not given to the request yet', { destroyed: false, readableLength: 2 }, 4, true],
  ['too few of them', { destroyed: false, readableLength: 1 }, 4, false],
  ['bytes of a stream that is destroyed, which come no more', { destroyed: true, readableLength: 2 }, 4, false],
  ['all bytes before the stream was destroyed', { destroyed: true, readableLength: 2 }, 6, true]
]

describe('a body over HTTP/2 of declared length', () => {
  for (const [what, stream, received, expected] of rows) {
    it(`has ${expected ? '' : 'not '}arrived with ${what}`, () => {
      const req = {
        complete: true,
        headers: { 'content-length': '10' },
        httpVersionMajor: 2,
        readableEnded: false,
        readableLength: 4,
        stream
      }
      assert.equal(hasArrived(req, received), expected)
    })
  }
})

describe('a body over HTTP/2 without a declared length', () => {
  it('has arrived once its end is read', () => {
    const stream = { destroyed: false, readableLength: 0 }
    for (const readableEnded of [true, false]) {
      const req = { complete: true, headers: {}, httpVersionMajor: 2, readableEnded, readableLength: 0, stream }
      assert.equal(hasArrived(req, 5), readableEnded)
    }
  })
})
