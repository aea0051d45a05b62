'use strict'

/**
 * Whether two values of JSON are the same, with the same order of keys. Without
 * recursion, as they may be nested too deep for it.
 */
module.exports = function isSameJson (a, b) {
  const pairs = [[a, b]]
  while (pairs.length > 0) {
    const [left, right] = pairs.pop()
    if (typeof left !== 'object' || left === null) {
      if (!Object.is(left, right)) return false
      continue
    }
    if (typeof right !== 'object' || right === null || Array.isArray(left) !== Array.isArray(right)) return false
    const keys = Object.keys(left)
    const others = Object.keys(right)
    if (keys.length !== others.length) return false
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] !== others[i]) return false
      pairs.push([left[keys[i]], right[keys[i]]])
    }
  }
  return true
}
