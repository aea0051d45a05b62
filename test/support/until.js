'use strict'

const assert = require('node:assert/strict')
const { setImmediate: turn } = require('node:timers/promises')

/** Lets the event loop turn until this is so. */
module.exports = async function until (isSo) {
  for (let left = 1_000_000; !isSo(); left--) {
    assert.ok(left > 0, `this never came true: ${isSo}`)
    await turn()
  }
}
