'use strict'

/**
 * A smaller source of which the same is true: pieces are left out, ever
 * smaller ones.
 *
 * @template {string | Buffer} T
 * @param {T} source
 * @param {(source: T) => Promise<boolean>} holds
 * @param {number} most tries
 * @returns {Promise<T>}
 */
async function shrink (source, holds, most) {
  let best = source
  let tries = 0
  for (let length = -1; best.length !== length;) { // until a round leaves nothing out
    length = best.length
    for (let size = Math.ceil(length / 2); size >= 1; size >>= 1) {
      for (let at = 0; at < best.length;) {
        if (tries++ === most) return best
        const candidate = without(best, at, size)
        if (await holds(candidate)) best = candidate
        else at += size
      }
    }
  }
  return best
}

function without (source, at, size) {
  const [before, after] = [source.slice(0, at), source.slice(at + size)]
  return typeof source === 'string' ? before + after : Buffer.concat([before, after])
}

module.exports = shrink
