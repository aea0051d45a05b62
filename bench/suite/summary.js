'use strict'

// What is kept in git of some runs, as Markdown.

const { median, min } = require('../../tools/statistics')
const { markdownTable } = require('../../tools/text-table')
const { COMPARED } = require('./budgets')
const sections = require('./sections')

const HEADLINES = 2 // runs that are shown whole; of the others, the ratios

/**
 * @param {object[]} runs as run.js writes them, one for each version of Node.js,
 *   those that matter most first
 * @returns {string}
 */
function summaryOf (runs) {
  const others = runs.slice(HEADLINES)
  return [
    '# Results',
    '',
    "Times are the least ns per request. Read the ratios: the times are one machine's. `npm run bench:report` writes this file ([README](README.md)).",
    ...runs.slice(0, HEADLINES).flatMap((run) => [
      '',
      `## Node ${run.node}`,
      '',
      describe(run),
      ...partsOf(run).flatMap(([title, head, rows]) => rows.length === 0 ? [] : ['', `### ${title}`, '', markdownTable(head, rows)])
    ]),
    ...(others.length === 0 ? [] : ratiosOf(others)),
    ''
  ].join('\n')
}

function describe ({ node, machine, requests, rounds, date, commit, versions }) {
  return `Node ${node}, ${machine}, ${requests} requests, ${rounds} rounds, ${date}, commit ${commit}, body-parser ${versions['body-parser']}.`
}

/** @returns {[title: string, head: string[], rows: (string | number)[][]][]} */
function partsOf (run) {
  const strategies = sections.strategies.competitors.map(({ name }) => name)
  const { cold = {}, memory = {} } = run
  return [
    ['Requests', ['request', ...COMPARED, 'ours / body-parser'], rowsOf(run, 'work').map(({ name, results }) =>
      [name, ...COMPARED.map((one) => time(results[one])), ratio(results)])],
    ['Allocated per request: bytes on the heap + in array buffers', ['request', ...COMPARED], allocated(rowsOf(run, 'work'), COMPARED)],
    ['Strategies', ['request', ...strategies], rowsOf(run, 'strategies').map(({ name, results }) => [name, ...strategies.map((one) => time(results[one]))])],
    ['Strategies: bytes on the heap + in array buffers', ['request', ...strategies], allocated(rowsOf(run, 'strategies'), strategies)],
    ['Cold start', ['module', 'least ms', 'modules'], Object.entries(cold).map(([name, { times, modules }]) => [name, min(times).toFixed(1), modules])],
    ['Peak MiB of a server that is sent JSON of 5 MB', ['parser', 'one body', '50 at a time', 'three times 50'], Object.entries(memory).map(
      ([name, { first, one, three }]) => [name, ...[first, one, three].map((sizes) => count(median(sizes) / 2 ** 20))])]
  ]
}

function allocated (rows, names) {
  const cell = (result) => result?.bytes === undefined ? '' : `${rough(result.bytes.heap)} + ${rough(Math.max(result.bytes.buffers, 0))}`
  const counted = rows.filter(({ results }) => names.some((name) => results[name]?.bytes !== undefined))
  return counted.map(({ name, results }) => [name, ...names.map((one) => cell(results[one]))])
}

/** Ours as a share of body-parser, a column for each run. */
function ratiosOf (runs) {
  const names = new Set(runs.flatMap((run) => rowsOf(run, 'work').map(({ name }) => name)))
  const cell = (run, name) => {
    const row = rowsOf(run, 'work').find((row) => row.name === name)
    return row === undefined ? '' : ratio(row.results)
  }
  return [
    '',
    '## Older versions of Node.js: ours / body-parser',
    '',
    ...runs.map(describe),
    '',
    markdownTable(['request', ...runs.map(({ node }) => node)], [...names].map((name) => [name, ...runs.map((run) => cell(run, name))]))
  ]
}

function rowsOf ({ rows = [] }, section) {
  return rows.filter((row) => row.section === section)
}

function time (result) {
  return result?.times === undefined ? '' : count(min(result.times))
}

function ratio ({ ours, 'body-parser': theirs }) {
  return ours.times === undefined || theirs.times === undefined ? '' : (min(ours.times) / min(theirs.times)).toFixed(2)
}

/** To three digits: the next one differs from run to run. */
const rough = (value) => count(Number(value.toPrecision(3)))

const count = (value) => Math.round(value).toLocaleString('en')

module.exports = summaryOf
