'use strict'

/** A target that never ends for an input that begins with `e`. */
module.exports = {
  words: [],
  seeds: ['a', 'end'],
  longest: 8,
  run (bytes) {
    while (bytes[0] === 0x65);
  }
}
