'use strict'

/**
 * A smaller input of which the same is true: removes smaller and smaller pieces,
 * and replaces the other bytes by plain ones.
 *
 * @param {Buffer} bytes
 * @param {(bytes: Buffer) => Promise<boolean>} holds
 * @param {number} most tries
 * @returns {Promise<Buffer>}
 */
async function shrink (bytes, holds, most) {
  let best = bytes
  let tries = 0
  for (let size = -1; best.length !== size;) { // until a round removes nothing
    size = best.length
    for (const candidate of smaller(() => best)) {
      if (tries++ === most) return best
      if (await holds(candidate)) best = candidate
    }
  }
  return best
}

/** @param {() => Buffer} current changes while this goes on */
function * smaller (current) {
  for (let size = current().length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < current().length;) {
      const before = current()
      yield Buffer.concat([before.subarray(0, at), before.subarray(at + size)])
      if (current() === before) at += size
    }
  }
  for (let at = 0; at < current().length; at++) {
    for (const plain of [0, 0x61]) { // the first choice of a script, or a letter
      const before = current()
      if (before[at] > plain) yield Buffer.concat([before.subarray(0, at), Buffer.of(plain), before.subarray(at + 1)])
      if (current() !== before) break
    }
  }
}

module.exports = shrink
