'use strict'

// The figures of a run as tables, for the terminal and for Markdown.

const { median, min, summarize } = require('../../tools/statistics')
const { competitors } = require('../competitors')
const { COMPARED } = require('./measure-row')

/** @typedef {{ title: string, head: string[], rows: (string | number)[][] }} Table */

const number = (value) => Math.round(value).toLocaleString('en')

/** To three digits: the next one differs from run to run. */
const rough = (value) => number(Number(value.toPrecision(3)))

/**
 * @param {object} results as run.js collects them
 * @returns {Table[]} all that was measured: minimums, and below them medians with half of the interquartile range
 */
function tablesOf ({ rows, cold }) {
  const names = competitors.map(({ name }) => name)
  return [
    {
      title: 'ns per request',
      head: ['', ...names],
      rows: [['checks made', ...competitors.map(({ checks }) => checks.join('\n') || 'none')], ...rows.map(({ name, results }) => [name, ...names.map((one) => timeCell(results[one]))])]
    },
    allocated(rows, names),
    coldTable(cold)
  ].filter((table) => table.rows.length > (table.title === 'ns per request' ? 1 : 0))
}

function timeCell ({ times, missing, wrong }) {
  if (missing !== undefined) return `no ${missing.join(',\n')}`
  if (wrong !== undefined) return `wrong:\n${wrong}`
  const { min, median, spread } = summarize(times)
  return `${number(min)}\n${number(median)} ±${Math.round(spread * 50)}%`
}

function allocated (rows, names) {
  const cell = (result) => result?.bytes === undefined ? '' : `${rough(result.bytes.heap)} + ${rough(Math.max(result.bytes.buffers, 0))}`
  const counted = rows.filter(({ results }) => names.some((name) => results[name]?.bytes !== undefined))
  return { title: 'Allocated per request: bytes on the heap + in array buffers', head: ['', ...names], rows: counted.map(({ name, results }) => [name, ...names.map((one) => cell(results[one]))]) }
}

function coldTable (cold = {}) {
  return {
    title: 'Cold start',
    head: ['module', 'least ms', 'median', 'modules'],
    rows: Object.entries(cold).map(([name, { times, modules }]) => [name, min(times).toFixed(1), median(times).toFixed(1), modules])
  }
}

/**
 * What is kept in git: the least times of those that are compared, and the share of body-parser's.
 *
 * @returns {Table[]}
 */
function summaryOf ({ rows, cold }) {
  const time = (result) => result?.times === undefined ? '' : number(min(result.times))
  const ratio = ({ ours, 'body-parser': theirs }) => ours?.times === undefined || theirs?.times === undefined ? '' : (min(ours.times) / min(theirs.times)).toFixed(2)
  return [
    { title: 'Requests', head: ['request', ...COMPARED, 'ours / body-parser'], rows: rows.map(({ name, results }) => [name, ...COMPARED.map((one) => time(results[one])), ratio(results)]) },
    allocated(rows, COMPARED),
    coldTable(cold)
  ]
}

module.exports = { tablesOf, summaryOf }
