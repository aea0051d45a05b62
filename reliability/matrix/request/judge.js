'use strict'

// What must hold for every cell.

const { allows, isLost } = require('./allowed-differences')
const lanes = require('./lanes')

/**
 * @param {import('./cells').Cell} cell
 * @param {object} seen what Exchange#observe returns
 * @param {object | null} expected the same of body-parser; null if it has no such lane
 * @returns {string[]} what is wrong
 */
function judge (cell, seen, expected) {
  if (isLost(cell, seen)) return []
  const faults = ownFaults(cell, seen, expected?.uncaught)
  return isComparable(cell, seen, expected) ? [...faults, ...differences(cell, seen, expected)] : faults
}

/** Chunks that arrive together may keep an act from happening. */
function isComparable (cell, seen, expected) {
  if (expected === null || expected.isNative || seen.acted !== expected.acted) return false
  return ownFaults(cell, { ...expected, within: [] }).length === 0 && !allows(cell, seen, expected)
}

/** @param {string[]} [usual] what is uncaught without this package as well */
function ownFaults (cell, { calls, within, uncaught, faults, left }, usual = []) {
  const strange = uncaught.filter((error) => error !== 'OF_THE_ACT' && !usual.includes(error) && !isOfNode(cell, error))
  return [
    calls.length !== 1 && [`next is called ${calls.length} times`, ...calls].join(', '),
    within.length > 0 && !isPretended(cell) && `next is called within ${within.join(', ')}`,
    strange.length > 0 && `uncaught: ${strange.join(', ')}`,
    ...(cell.step === 'in next' ? [] : faults),
    ...left.map((what) => `left: ${what}`)
  ].filter(Boolean)
}

/**
 * Node 20 and 24: after 'close' the listener of Readable.toWeb throws for each chunk that follows. Other code may emit
 * it, pause a request until the answer has closed it, or throw while a chunk is given to it.
 */
const isOfNode = ({ act, lane }, error) => lanes[lane].call?.module === 'web' && error === 'ERR_INVALID_STATE' &&
  (act === "req.emit('close')" || act === 'throw' || act.startsWith('req.pause()'))

/**
 * An 'aborted' that other code emits once the body is complete ends nothing: body-parser calls `next` within it,
 * too.
 */
const isPretended = ({ step, act }) => act === "req.emit('aborted')" && step.startsWith('on end')

const COMPARED = ['calls', 'isEarly', 'answer', 'uncaught', 'faults']

function differences ({ lane }, seen, expected) {
  const oracle = lanes[lane].parser === 'multer' ? 'multer' : 'body-parser'
  return COMPARED
    .filter((name) => JSON.stringify(seen[name]) !== JSON.stringify(expected[name]))
    .map((name) => `${name}: ${JSON.stringify(seen[name])}, ${oracle} ${JSON.stringify(expected[name])}`)
}

module.exports = judge
