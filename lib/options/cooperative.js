'use strict'

// Option `cooperative` of json: parses large bodies in slices.

const { milliseconds, readSize } = require('../core/checks')

const SLICE = 0.25 // ms
const THRESHOLD = 256 * 1024 // bytes

/** @returns {{ slice: number, threshold: number }} ms and bytes */
module.exports = function checkCooperative (value) {
  const { slice, threshold, ...others } = value // `true` has none of them
  const isRight = value === true || (typeof value === 'object' && !Array.isArray(value))
  if (!isRight || Object.keys(others).length > 0) {
    throw new TypeError('option cooperative must be true, false, or an object of slice and threshold')
  }
  return {
    slice: milliseconds(slice, 'cooperative.slice', SLICE),
    threshold: readSize(threshold, 'cooperative.threshold', THRESHOLD)
  }
}
