'use strict'

// How much an attack may exceed its yardstick: a part of it, as measurements
// vary, and one garbage collection more or less. Node.js collects the memory
// that it reads sockets into only when it is some 32 MB.
const HOLD = { part: 0.25, least: 3 } // ms
const PEAK = { part: 0.25, least: 48 * 2 ** 20 } // bytes

/**
 * In what an attack exceeds its yardstick.
 *
 * @param {string[]} expected outcomes; every answer must be one of them
 * @param {import('./figures').Figures} seen
 * @param {import('./figures').Figures} legal of the yardstick
 * @returns {string[]} faults: 'outcome', 'hold' and 'memory'
 */
function faultsOf (expected, seen, legal) {
  const faults = []
  if (!Object.keys(seen.outcomes).every((outcome) => expected.includes(outcome))) faults.push('outcome')
  if (exceeds(seen.hold, legal.hold, HOLD)) faults.push('hold')
  if (exceeds(seen.peak, legal.peak, PEAK)) faults.push('memory')
  return faults
}

function exceeds (value, yardstick, { part, least }) {
  return value > yardstick * (1 + part) + least
}

/**
 * @param {string[]} faults
 * @param {{ faults: string[] }} [known]
 * @returns {boolean} true if all of them are known, or there are none
 */
function isWithstood (faults, known) {
  return faults.every((fault) => known?.faults.includes(fault))
}

module.exports = { faultsOf, isWithstood }
