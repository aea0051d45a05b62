'use strict'

// What the commands of bench/ share: options, steps, tables and files.

const fs = require('node:fs')
const path = require('node:path')
const { clearOutput, readJson, writeFile, writeJson } = require('../../tools/atomic-write')
const { fileName, runCommand, wholeNumber } = require('../../tools/command-line')
const { describeRun, runText } = require('../../tools/machine')
const { install, NODE, nodeFor } = require('../../tools/npm')
const { createProgress, timeLeft } = require('../../tools/progress')
const textTable = require('../../tools/text-table')
const UserError = require('../../tools/user-error')

const BENCH = path.join(__dirname, '..')
const FILTER = { value: 'TEXT', default: '', help: 'only what has TEXT in its name' }
const ROUNDS = { value: 'N', read: wholeNumber(1, 1000), help: 'of which the medians are shown' }
const SUMMARY = { value: 'FILE', read: fileName('.md'), help: 'write the tables that are kept in git to FILE' }

const KEEP = { value: 'FILE', read: fileName('.json'), help: 'add the tables to FILE, which a page quotes' }
const FORMAT = 'fast-body-parser/figures/1'

/**
 * @typedef {{ name: string, take: () => unknown }} Step what is measured, one after the other
 * @typedef {{ title: string, head: string[], rows: (string | number)[][] }} Table
 */

/**
 * @param {object} command
 * @param {string} command.usage
 * @param {number} [command.rounds] default of --rounds
 * @param {Record<string, import('../../tools/command-line').Option>} [command.options] of its own
 * @param {(values: object) => Step[]} command.stepsOf `node` among the values has a path and a version
 * @param {(results: Record<string, any>, values: object) => Table[]} command.tablesOf by the name of the step; the
 *   values are those of the options
 * @param {(results: Record<string, any>, about: string, values: object) => string} [command.summaryOf] the Markdown
 *   that is kept in git
 */
function benchCommand ({ usage, rounds, options, stepsOf, tablesOf, summaryOf }) {
  runCommand({
    usage,
    options: {
      filter: FILTER,
      ...rounds && { rounds: { ...ROUNDS, default: rounds } },
      ...options,
      node: NODE,
      json: { value: 'FILE', read: fileName('.json'), help: 'write every sample to FILE' },
      keep: KEEP,
      ...summaryOf && { summary: SUMMARY }
    },
    async run ({ values: { json, keep, summary = null, node: version, ...values } }) {
      const node = await nodeFor(version)
      const steps = stepsOf({ ...values, node }).filter(({ name }) => name.includes(values.filter))
      if (steps.length === 0) throw new UserError(`nothing has "${values.filter}" in its name`)
      clearOutput([json, summary])
      const earlier = runsIn(keep)
      await install(BENCH, 'the packages of bench/ cannot be installed')
      const about = describeRun(node.version)
      const { results, failures } = await takeAll(steps)
      if (json !== null) writeJson(json, { ...about, results })
      if (summary !== null) writeFile(summary, summaryOf(results, runText(about), values))
      const tables = tablesOf(results, values)
      if (keep !== null && failures.length === 0) keepTables(keep, earlier, about, tables)
      console.log(runText(about))
      for (const { title, head, rows } of tables) {
        if (rows.length > 0) console.log(`${title}\n${textTable(head, rows)}`)
      }
      if (failures.length > 0) throw new UserError(`not everything could be measured\n${failures.join('\n')}`)
    }
  })
}

const runsIn = (file) => file === null || !fs.existsSync(file) ? [] : readJson(file, FORMAT).runs

/** Adds a run to earlier ones, in place of one of the same command, Node.js and machine. */
function keepTables (file, earlier, about, tables) {
  const options = process.argv.slice(2).filter((option) => !/^--(json|keep|summary|svg)=/.test(option))
  const command = ['npm run bench --', path.basename(file, '.json'), ...options].join(' ')
  const isOther = (run) => run.command !== command || run.node !== about.node || run.machine !== about.machine
  const full = tables.filter(({ rows }) => rows.length > 0)
  writeJson(file, { format: FORMAT, runs: [...earlier.filter(isOther), { command, ...about, tables: full }] })
}

/** What can be measured is worth having without the rest. */
async function takeAll (steps) {
  const results = {}
  const failures = []
  const progress = createProgress()
  const began = performance.now()
  for (const [index, { name, take }] of steps.entries()) {
    progress.update(index / steps.length, name)
    try {
      results[name] = await take()
    } catch (error) {
      failures.push(`${name}: ${error.message}`)
    }
    progress.say(`${name}, ${index + 1} of ${steps.length}, ${timeLeft(began, (index + 1) / steps.length)}`)
  }
  progress.stop()
  if (failures.length === steps.length) throw new UserError(failures.join('\n'))
  return { results, failures }
}

module.exports = benchCommand
