'use strict'

const { figure } = require('./format')

const BUSY = 0.85 // of a core; below this something else was the limit
const MANY = 8 // connections; with fewer, a server waits for the driver
const BEHIND = 0.02 // of the requests of a block; more that are due and not sent are a queue that grows

/**
 * What to know before believing the figures of a target in a scenario.
 *
 * @param {string} letter of the target
 * @param {Record<string, number | null>} averages of its blocks that count, see result.js
 * @param {object[]} blocks all of them
 * @param {{ rate: number | null, connections: number }} load requests/s
 * @param {{ steadyAfter: object | null, blocks: number }[]} runs see result.js
 * @returns {string[]}
 */
module.exports = function warningsOf (letter, averages, blocks, load, runs) {
  return [...failures(letter, blocks), ...limits(letter, averages, blocks, load), ...unsteady(letter, blocks), ...coldRuns(letter, averages, runs)]
}

/** With --keep-going a run does not end at the first of these. */
function failures (letter, blocks) {
  const [wrong, errors] = [sumOf(blocks, 'mismatches'), sumOf(blocks, 'errors')]
  if (wrong + errors === 0) return []
  return [`target ${letter}: ${wrong} wrong responses and ${errors} errors in ${sumOf(blocks, 'responses') + errors} requests: ` +
    'its figures include them']
}

function sumOf (blocks, key) {
  return blocks.reduce((sum, block) => sum + (block[key] ?? 0), 0)
}

function limits (letter, { utilisation }, blocks, { rate, connections }) {
  if (rate !== null) {
    const isBehind = sumOf(blocks, 'backlog') > BEHIND * sumOf(blocks, 'responses')
    return isBehind ? [`target ${letter} or the driver did not keep up with ${figure(rate, 'requests/s')}: its latency is that of a growing queue`] : []
  }
  if (utilisation === null || utilisation >= BUSY || connections < MANY) return []
  return [`target ${letter} used ${percent(utilisation)} of a core, as the driver did not keep up: its responses per second are not its maximum`]
}

function unsteady (letter, blocks) {
  const excluded = blocks.filter((block) => block.excluded !== undefined)
  if (excluded.length === 0) return []
  const reasons = [...new Set(excluded.map((block) => block.excluded))].map((reason) => `${excluded.filter((block) => block.excluded === reason).length} as ${reason}`)
  return [`target ${letter}: ${excluded.length} of ${blocks.length} blocks do not count: ${reasons.join(', ')}`]
}

/** A server elsewhere does not tell. */
function coldRuns (letter, { cpu }, runs) {
  const cold = runs.filter(({ steadyAfter }) => steadyAfter === null).length
  return cold === 0 || cpu === null ? [] : [`target ${letter} did not become steady in ${cold} of ${runs.length} runs, which do not count`]
}

function percent (utilisation) {
  return `${Math.round(utilisation * 100)} %`
}
