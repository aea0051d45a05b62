'use strict'

// What the commands of bench/ share: options, rows, tables and files.

const { clearOutput, writeFile, writeJson } = require('../tools/atomic-write')
const { fileName, runCommand, wholeNumber } = require('../tools/command-line')
const { describeRun, runText } = require('../tools/machine')
const { install, NODE, nodeFor } = require('../tools/npm')
const { createProgress, timeLeft } = require('../tools/progress')
const { shuffle } = require('../tools/random')
const textTable = require('../tools/text-table')
const UserError = require('../tools/user-error')
const { stopServers } = require('./processes')

const FILTER = { value: 'TEXT', default: '', help: 'only what has TEXT in its name' }
const ROUNDS = { value: 'N', read: wholeNumber(1, 1000), help: 'in which each has its turn' }
const JSON_FILE = { value: 'FILE', read: fileName('.json'), help: 'write the tables, and every sample, to FILE' }
const SUMMARY = { value: 'FILE', read: fileName('.md'), help: 'write the tables that are kept in git to FILE' }

/**
 * @typedef {(way: string) => unknown} Take gives a figure
 * @typedef {{ name: string, ways: string[], open: () => Take | Promise<Take> }} Row what is done in several ways
 * @typedef {Record<string, Record<string, any[]>>} Results the figures, by the names of row and way
 * @typedef {{ title: string, head: string[], rows: (string | number)[][] }} Table
 */

/**
 * @param {object} suite
 * @param {string} suite.usage
 * @param {number} suite.rounds default of --rounds
 * @param {Record<string, import('../tools/command-line').Option>} [suite.options] of its own
 * @param {(values: object) => Row[]} suite.rowsOf by the values of the options; `node` has a path and a version
 * @param {(results: Results, values: object) => Table[]} suite.tablesOf
 * @param {(results: Results, about: string) => string} [suite.summaryOf] the Markdown that is kept in git
 */
module.exports = function benchCommand ({ usage, rounds, options, rowsOf, tablesOf, summaryOf }) {
  runCommand({
    usage,
    options: {
      filter: FILTER,
      rounds: { ...ROUNDS, default: rounds },
      ...options,
      node: NODE,
      json: JSON_FILE,
      ...summaryOf && { summary: SUMMARY }
    },
    async run ({ values: { json, summary = null, node: version, ...values } }) {
      const node = await nodeFor(version)
      const rows = rowsOf({ ...values, node }).filter(({ name }) => name.includes(values.filter))
      if (rows.length === 0) throw new UserError(`nothing has "${values.filter}" in its name`)
      clearOutput([json, summary])
      await install(__dirname, 'the packages of bench/ cannot be installed')
      const about = describeRun(node.version)
      const { results, failures } = await takeAll(rows, values.rounds)
      const tables = tablesOf(results, values).filter(({ rows }) => rows.length > 0)
      if (json !== null) writeJson(json, { command: process.argv.slice(2).join(' '), ...about, tables, results })
      if (summary !== null) writeFile(summary, summaryOf(results, runText(about)))
      console.log(runText(about))
      for (const { title, head, rows } of tables) console.log(`${title}\n${textTable(head, rows)}`)
      if (failures.length > 0) throw new UserError(`not everything could be measured\n${failures.join('\n')}`)
    }
  })
}

/** What can be measured is worth having without the rest. */
async function takeAll (rows, rounds) {
  const results = {}
  const failures = []
  const progress = createProgress()
  const began = performance.now()
  for (const [index, row] of rows.entries()) {
    progress.update(index / rows.length, row.name)
    try {
      results[row.name] = await takeRow(row, rounds)
    } catch (error) {
      failures.push(`${row.name}: ${error.message}`)
    }
    progress.say(`${row.name}, ${index + 1} of ${rows.length}, ${timeLeft(began, (index + 1) / rows.length)}`)
  }
  progress.stop()
  if (failures.length === rows.length) throw new UserError(failures.join('\n'))
  return { results, failures }
}

/** Rounds in which each way has its turn, in an order that changes, so that none always comes after the same one. */
async function takeRow ({ ways, open }, rounds) {
  const seen = Object.fromEntries(ways.map((way) => [way, []]))
  try {
    const take = await open()
    for (let round = 0; round < rounds; round++) {
      for (const way of shuffle([...ways], Math.random)) seen[way].push(await take(way))
    }
    return seen
  } finally {
    await stopServers()
  }
}
