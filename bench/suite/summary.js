'use strict'

// What is kept in git of some runs: one line of Markdown for each row.

const { min } = require('../../tools/statistics')
const { COMPARED } = require('./budgets')

const HEADLINES = 2 // runs whose times are shown; of the others, the ratios

/**
 * @param {object[]} runs as run.js writes them, one for each version of Node.js,
 *   those that matter most first
 * @returns {string}
 */
function summaryOf (runs) {
  const others = runs.slice(HEADLINES)
  return [
    '# Time per request',
    '',
    "The least ns per request. Read the ratios: the times are one machine's. `npm run bench:report` writes this file ([README](README.md)).",
    ...runs.slice(0, HEADLINES).flatMap(timesOf),
    ...(others.length === 0 ? [] : ratiosOf(others)),
    ''
  ].join('\n')
}

function timesOf (run) {
  return [
    '',
    `## Node ${run.node}`,
    '',
    describe(run),
    '',
    ...table(['request', ...COMPARED, 'ours / body-parser'], workOf(run).map(({ name, results }) =>
      [name, ...COMPARED.map((one) => time(results[one])), ratio(results)]))
  ]
}

/** Ours as a share of body-parser, a column for each run. */
function ratiosOf (runs) {
  const names = new Set(runs.flatMap((run) => workOf(run).map(({ name }) => name)))
  const cell = (run, name) => {
    const row = workOf(run).find((row) => row.name === name)
    return row === undefined ? '' : ratio(row.results)
  }
  return [
    '',
    '## Older versions of Node.js: ours / body-parser',
    '',
    ...runs.map(describe),
    '',
    ...table(['request', ...runs.map(({ node }) => node)], [...names].map((name) => [name, ...runs.map((run) => cell(run, name))]))
  ]
}

function describe ({ node, machine, requests, rounds, date, commit, versions }) {
  return `Node ${node}, ${machine}, ${requests} requests, ${rounds} rounds, ${date}, commit ${commit}, body-parser ${versions['body-parser']}.`
}

function table (head, rows) {
  return [head, ['---', ...Array(head.length - 1).fill('--:')], ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}

function workOf ({ rows = [] }) {
  return rows.filter(({ section }) => section === 'work')
}

function time (result) {
  return result?.times === undefined ? '' : Math.round(min(result.times)).toLocaleString('en')
}

function ratio ({ ours, 'body-parser': theirs }) {
  return ours.times === undefined || theirs.times === undefined ? '' : (min(ours.times) / min(theirs.times)).toFixed(2)
}

module.exports = summaryOf
