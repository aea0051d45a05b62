'use strict'

// The table in the terminal: one line for each attack, printed when it is over.

const targets = require('./targets')
const { isWithstood } = require('./verdict')

const NAME = 23
const OUTCOME = 31
const CELLS = [6, 7, 8, 7, 7, 8, 7, 8]

/**
 * @param {string} name
 * @param {string} outcome
 * @param {string[]} cells
 * @param {string} verdict
 */
function line (name, outcome, cells, verdict) {
  return [name.padEnd(NAME), outcome.padEnd(OUTCOME), ...cells.map((cell, index) => cell.padStart(CELLS[index])), ` ${verdict}`].join('').trimEnd()
}

const headline = [
  line('', '', ['', 'ms', '', 'MB', '', '', 'hold ms', ''], ''),
  line('attack', 'outcome', ['ours', 'theirs', 'ours', 'theirs', 'legal', 'ours', 'theirs', 'legal'], '')
].join('\n')

const legend = `ms: until the last answer; MB: peak RSS above the idle server; hold ms: longest
turn of the event loop; each of ours, of body-parser's, and of ours with a legal
body of that limit (in brackets: with the same requests sent to a handler that
only collects and parses them, or only reads them off).`

/** @param {object} row see index.js */
function rowText ({ name, legal, known, targets: results }) {
  const [ours, theirs] = Object.values(results)
  const [peak, hold] = [megabytes(ours.legal.peak), tenths(ours.legal.hold)].map((text) => legal in targets ? `(${text})` : text)
  const cells = [
    whole(ours.wall), whole(theirs.wall),
    megabytes(ours.peak), megabytes(theirs.peak), peak,
    tenths(ours.hold), tenths(theirs.hold), hold
  ]
  const verdict = ours.faults.length === 0 ? 'ok' : `${ours.faults.join(', ')}${isWithstood(ours.faults, known) ? ' (known)' : ''}`
  const different = outcomeText(theirs) === outcomeText(ours) ? '' : ` (theirs: ${outcomeText(theirs)})`
  return line(name, outcomeText(ours), cells, verdict + different)
}

/**
 * @param {object[]} rows
 * @returns {string} why known ones took more than their yardstick
 */
function knownText (rows) {
  const known = rows.filter((row) => Object.values(row.targets)[0].faults.length > 0 && row.known !== undefined)
  if (known.length === 0) return ''
  return `, among them, known to take more:\n${known.map(({ name, known: { why } }) => `  ${name}: ${why}`).join('\n')}`
}

function outcomeText ({ outcomes }) {
  return Object.keys(outcomes).sort().join(', ')
}

const whole = (value) => value.toFixed(0)
const tenths = (value) => value.toFixed(1)
const megabytes = (bytes) => (bytes / 2 ** 20).toFixed(0)

module.exports = { headline, knownText, legend, rowText }
