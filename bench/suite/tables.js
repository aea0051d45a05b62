'use strict'

// The figures of a run as tables, for the terminal and for Markdown.

const { min, summarize } = require('../../tools/statistics')
const { markdownTable } = require('../../tools/text-table')
const { competitors, versionOf } = require('../competitors')

const COMPARED = ['minimal', 'compatible', 'ours', 'body-parser'] // in the summary
const NAMES = competitors.map(({ name }) => name)
const CHECKS = ['checks made', ...competitors.map(({ checks }) => checks.join('\n') || 'none')]
const SMALL = 'json 274 B, as a server feeds it' // of which the summary has the times of all
const COLD = 'cold start'

const number = (value) => Math.round(value).toLocaleString('en')

/**
 * @param {Record<string, object>} results by the name of the row, and the cold start
 * @returns {import('./command').Table[]} all that was measured: minimums, and below them medians with half of the
 *   interquartile range
 */
function tablesOf ({ [COLD]: cold, ...rows }) {
  const times = rowsOf(rows, NAMES, timeCell)
  const requests = { title: 'ns per request', head: ['', ...NAMES], rows: times.length === 0 ? [] : [CHECKS, ...times] }
  return [requests, heapTable(rows, NAMES), coldTable(cold)]
}

function rowsOf (rows, names, cellOf) {
  return Object.entries(rows).map(([name, results]) => [name, ...names.map((one) => cellOf(results[one]))])
}

function timeCell ({ times, missing, wrong }) {
  if (missing !== undefined) return `no ${missing.join(',\n')}`
  if (wrong !== undefined) return `wrong:\n${wrong}`
  const { min, median, spread } = summarize(times)
  return `${number(min)}\n${number(median)} ±${Math.round(spread * 50)}%`
}

/** Three digits: the others differ from run to run. */
function heapTable (rows, names) {
  const cell = ({ heap }) => heap === undefined ? '' : number(Number(heap.toPrecision(3)))
  return { title: 'Allocated per request: bytes on the heap', head: ['', ...names], rows: rowsOf(rows, names, cell) }
}

function coldTable (cold = {}) {
  const rows = Object.entries(cold).map(([name, samples]) => {
    return [name, min(samples.map(({ time }) => time)).toFixed(1), samples[0].modules]
  })
  return { title: 'Cold start', head: ['module', 'least ms', 'modules'], rows }
}

function ratioOf ({ ours, 'body-parser': theirs }) {
  return ours.times && theirs.times ? (min(ours.times) / min(theirs.times)).toFixed(2) : ''
}

/** @returns {string} the least times of those that are compared, and the share of body-parser's */
function summaryOf ({ [COLD]: cold, ...rows }, about, { quick }) {
  const time = ({ times }) => times === undefined ? '' : number(min(times))
  const { [SMALL]: small } = rows
  const all = competitors.map(({ name, checks }) => [name, small ? time(small[name]) : '', checks.join(', ') || 'none'])
  const requests = rowsOf(rows, COMPARED, time).map((cells) => [...cells, ratioOf(rows[cells[0]])])
  const tables = [
    { title: `All, ${SMALL}`, head: ['parser', 'least ns', 'checks made'], rows: all },
    { title: 'Requests', head: ['request', ...COMPARED, 'ours / body-parser'], rows: requests },
    heapTable(rows, COMPARED),
    coldTable(cold)
  ]
  return `# Results

Times are the least ns per request. Read the ratios: the times are one machine's. This command writes the file
([README](README.md)): \`npm run bench -- --node=24${quick ? ' --quick' : ''} --summary=bench/summary.md\`

${about}, body-parser ${versionOf('body-parser')}.

${tables.map(({ title, head, rows }) => `## ${title}\n\n${markdownTable(head, rows)}\n`).join('\n')}`
}

module.exports = { tablesOf, summaryOf }
