'use strict'

// npm run bench:report: writes the chart and summary.md of a run.

const path = require('node:path')
const { readJson, writeFile } = require('../tools/atomic-write')
const barChart = require('../tools/chart')
const { runCommand } = require('../tools/command-line')
const { ensurePackages } = require('../tools/npm')
const { min } = require('../tools/statistics')
const { markdownTable } = require('../tools/text-table')
const UserError = require('../tools/user-error')

const ROW = 'json 274 B, as a server feeds it'
const CHARTED = ['minimal', 'compatible', 'ours', 'body-parser', 'fastify', 'co-body', 'milliparsec']
const COLOR_OF = { ours: 'ours', 'body-parser': 'other' }

runCommand({
  usage: 'Writes bench/summary.md and bench/charts/rows.svg.\n\n  npm run bench:report -- FILE    FILE: what npm run bench -- --json=FILE wrote\n',
  options: { force: { help: 'also of a run that was filtered or quick' } },
  positionals: true,
  run ({ values: { force }, positionals: files }) {
    if (files.length !== 1) throw new UserError('the name of one file is needed; --help tells which')
    ensurePackages(__dirname)
    const { FORMAT } = require('./suite/run')
    const run = readJson(files[0], FORMAT)
    if (!force && (run.filter !== '' || run.quick)) throw new UserError(`${files[0]} is of a run that was ${run.quick ? 'quick' : 'filtered'}: --force replaces the files in git with it`)
    const { summary, chart } = reportOf(run)
    writeFile(path.join(__dirname, 'summary.md'), summary)
    if (chart !== null) writeFile(path.join(__dirname, 'charts/rows.svg'), chart)
  }
})

function reportOf (run) {
  const { summaryOf } = require('./suite/tables')
  const { competitors } = require('./competitors')
  const { node, machine, requests, rounds, date, commit, versions, rows } = run
  const about = `Node ${node}, ${machine}, ${requests} requests, ${rounds} rounds, ${date}, commit ${commit}, body-parser ${versions['body-parser']}.`
  const tables = summaryOf(run).flatMap((table) => table.rows.length === 0 ? [] : ['', `## ${table.title}`, '', markdownTable(table.head, table.rows)])
  const summary = [
    '# Results', '',
    "Times are the least ns per request. Read the ratios: the times are one machine's. `npm run bench:report` writes this file ([README](README.md)).", '',
    about, ...tables, ''
  ].join('\n')
  const results = rows.find(({ name }) => name === ROW)?.results
  const bars = CHARTED.filter((name) => results?.[name]?.times !== undefined).map((name) => ({
    name,
    note: competitors.find((one) => one.name === name).checks.join(', ') || 'nothing',
    value: min(results[name].times) / 1000,
    color: COLOR_OF[name]
  })).sort((a, b) => a.value - b.value)
  const chart = bars.length === 0 ? null : barChart({ title: 'What parsing one small JSON body costs, in µs', subtitle: [`${ROW}; minimums; below each name, what it checks`, about], bars })
  return { summary, chart }
}
