'use strict'

// The table in the terminal: one line for each stream, printed when it is over.

const NAME = 26
const RATE = 6
const CELL = 7
const SIDES = ['ours', 'theirs', 'coop']
const GROUPS = ['busy', 'p50 ms', 'p99 ms']
const WIDTH = CELL * SIDES.length

const headline = [
  ' '.repeat(NAME + RATE) + GROUPS.map((text) => text.padStart(WIDTH)).join(''),
  'stream'.padEnd(NAME) + '/s'.padStart(RATE) + GROUPS.map(() => SIDES.map((text) => text.padStart(CELL)).join('')).join('')
].join('\n')

const legend = `/s: attacks per second; busy: share of the time in which the main thread was on a
CPU; p50, p99: of innocent small posts meanwhile; each of ours, of body-parser's,
and of ours with the option cooperative. Medians of the rounds.`

/** @param {object} row see index.js */
function rowText ({ name, rate, ours, theirs, cooperative, faults }) {
  const cells = ['busy', 'p50', 'p99'].flatMap((figure) => [ours, theirs, cooperative].map((load) => cell(load?.[figure], figure === 'busy' ? 2 : 1)))
  return `${name.padEnd(NAME)}${rate.toFixed(0).padStart(RATE)}${cells.join('')}  ${faults.length === 0 ? 'ok' : faults.join(', ')}`
}

const cell = (value, digits) => (value?.toFixed(digits) ?? '').padStart(CELL)

module.exports = { headline, legend, rowText }
