'use strict'

// The figures of a run as tables, for the terminal and for Markdown.

const { min, summarize } = require('../../tools/statistics')
const { markdownTable } = require('../../tools/text-table')
const { competitors } = require('../competitors')

const COMPARED = ['minimal', 'compatible', 'ours', 'body-parser'] // in the summary
const NAMES = competitors.map(({ name }) => name)
const CHECKS = ['checks made', ...competitors.map(({ checks }) => checks.join('\n') || 'none')]
const SMALL = 'json 274 B, as a server feeds it' // of which the summary has the times of all

/** @typedef {{ title: string, head: string[], rows: (string | number)[][] }} Table */

const number = (value) => Math.round(value).toLocaleString('en')

/**
 * @param {object} results as run.js collects them
 * @returns {Table[]} all that was measured: minimums, and below them medians with half of the interquartile range
 */
function tablesOf ({ rows, cold }) {
  const requests = { title: 'ns per request', head: ['', ...NAMES], rows: [CHECKS, ...rowsOf(rows, NAMES, timeCell)] }
  return [...rows.length === 0 ? [] : [requests, heapTable(rows, NAMES)], ...coldTables(cold)]
}

const rowsOf = (rows, names, cellOf) => rows.map(({ name, results }) => [name, ...names.map((one) => cellOf(results[one]))])

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

function coldTables (cold) {
  if (cold === undefined) return []
  const rows = Object.entries(cold).map(([name, { times, modules }]) => [name, min(times).toFixed(1), modules])
  return [{ title: 'Cold start', head: ['module', 'least ms', 'modules'], rows }]
}

/**
 * What is kept in git.
 *
 * @param {object} results as run.js collects them
 * @returns {string} Markdown: the least times of those that are compared, and the share of body-parser's
 */
function summaryOf ({ node, machine, rounds, date, commit, versions, rows, cold }) {
  const time = ({ times }) => times === undefined ? '' : number(min(times))
  const ratio = ({ ours, 'body-parser': theirs }) => ours.times && theirs.times ? (min(ours.times) / min(theirs.times)).toFixed(2) : ''
  const small = rows.filter(({ name }) => name === SMALL).flatMap(({ results }) => competitors.map(({ name, checks }) => [name, time(results[name]), checks.join(', ') || 'none']))
  const tables = [
    { title: `All, ${SMALL}`, head: ['parser', 'least ns', 'checks made'], rows: small },
    { title: 'Requests', head: ['request', ...COMPARED, 'ours / body-parser'], rows: rowsOf(rows, COMPARED, time).map((cells, i) => [...cells, ratio(rows[i].results)]) },
    heapTable(rows, COMPARED),
    ...coldTables(cold)
  ]
  return [
    '# Results',
    "Times are the least ns per request. Read the ratios: the times are one machine's. `npm run bench -- --node=24 --summary=bench/summary.md` writes this file ([README](README.md)).",
    `Node ${node}, ${machine}, ${rounds} rounds, ${date}, commit ${commit}, body-parser ${versions['body-parser']}.`,
    ...tables.map(({ title, head, rows }) => `## ${title}\n\n${markdownTable(head, rows)}`)
  ].join('\n\n') + '\n'
}

module.exports = { tablesOf, summaryOf }
