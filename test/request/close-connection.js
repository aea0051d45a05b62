'use strict'

const assert = require('node:assert/strict')
const closeConnection = require('../../lib/request/close-connection')

describe('closeConnection', () => {
  for (const [what, req] of [
    ['a request of an adapter', { socket: { destroySoon: assert.fail, end: assert.fail } }],
    ['a request without a connection', { complete: false, pause: assert.fail, socket: null }]
  ]) {
    it(`leaves ${what} alone`, () => {
      const [before, socket] = [{ ...req }, { ...req.socket }]
      closeConnection({ req, res: { once: assert.fail } })
      assert.deepEqual([req, { ...req.socket }], [before, socket])
    })
  }
})
