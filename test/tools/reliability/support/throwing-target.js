'use strict'

/** A target that throws where nobody catches it. */
module.exports = {
  words: [],
  seeds: ['a', 'throw'],
  longest: 8,
  async run (bytes) {
    if (bytes[0] === 0x74) setImmediate(() => { throw new Error('thrown later') })
    await new Promise((resolve) => setImmediate(resolve))
  }
}
