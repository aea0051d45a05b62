'use strict'

const Table = require('cli-table3')
const { summarize } = require('./stats')

const PLAIN = { head: [], border: [], compact: true }

/** Names to the left, figures to the right. */
function draw (head, lines) {
  const table = new Table({ head, style: PLAIN, colAligns: head.map((_, i) => i === 0 ? 'left' : 'right') })
  table.push(...lines)
  return table.toString()
}

/**
 * ns per request of every competitor in every row: the minimum, and below it
 * the median and the spread.
 *
 * @param {object[]} rows as measureRow gives them
 * @param {string[]} names of the competitors
 */
function timesTable (rows, names) {
  return draw(['ns per request', ...names], rows.map(({ name, results }) =>
    [name, ...names.map((who) => timeCell(results[who]))]))
}

function timeCell ({ times, lacks, wrong }) {
  if (lacks !== undefined) return `no ${lacks.join(',\n')}`
  if (wrong !== undefined) return `wrong:\n${wrong}`
  const { min, median, spread } = summarize(times)
  return `${number(min)}\n${number(median)} ±${percent(spread / 2)}`
}

/** Bytes allocated per request: on the heap, and below it in array buffers. */
function bytesTable (rows, names) {
  const counted = rows.filter(({ results }) => names.some((who) => results[who].bytes !== undefined))
  return draw(['bytes per request', ...names], counted.map(({ name, results }) =>
    [name, ...names.map((who) => bytesCell(results[who].bytes))]))
}

function bytesCell (bytes) {
  return bytes === undefined ? '' : `${number(bytes.heap)}\n+ ${number(Math.max(bytes.buffers, 0))}`
}

/** @param {ReturnType<import('./floors')>} verdicts */
function floorsTable (verdicts) {
  return draw(['asked of this package', 'ratio', 'at most', 'minimums', 'medians', ''], verdicts.map(
    ({ name, measure, most, best, middle }) => [
      name, measure, most, best.toFixed(3), middle === undefined ? '' : middle.toFixed(3),
      best <= most ? 'reached' : 'MISSED'
    ]))
}

/** @param {ReturnType<import('./cold')>} results */
function coldTable (results) {
  return draw(['cold require and one parser', 'ms', 'modules'], Object.entries(results).map(
    ([name, { times, modules }]) => {
      const { min, median, spread } = summarize(times)
      return [name, `${min.toFixed(1)}\n${median.toFixed(1)} ±${percent(spread / 2)}`, modules]
    }))
}

function number (value) {
  return Math.round(value).toLocaleString('en')
}

function percent (share) {
  return `${Math.round(share * 100)}%`
}

module.exports = { draw, bytesTable, coldTable, floorsTable, timesTable }
