'use strict'

const path = require('node:path')
const { commitText, describeCommit, describeMachine } = require('../../tools/machine')
const { createProgress } = require('../../tools/progress')
const UserError = require('../../tools/user-error')
const { competitors, versionOf } = require('../competitors')
const measureCold = require('../measure/cold')
const rows = require('../rows')
const measureRow = require('./measure-row')

const COLD = 'cold start'

// Rounds are short, so that the noise of the machine spares some of them.
const FULL = { rounds: 9, sets: 2, roundTime: 4, warmUp: 160, coldRounds: 5 } // times in ms
const QUICK = { rounds: 8, sets: 1, roundTime: 3, warmUp: 100, coldRounds: 3 }

/**
 * Measures every row whose name contains the filter.
 *
 * @param {{ filter: string, quick: boolean, node: { path: string, version: string } }} values
 * @returns {Promise<{ results: object, failures: string[] }>} failures: the other steps are worth having without them
 */
async function run ({ filter, quick, node }) {
  const settings = { node: node.path, ...(quick ? QUICK : FULL) }
  const { cpu, cores } = describeMachine()
  const results = {
    node: node.version,
    machine: `${cpu.trim()}, ${cores} cores`,
    date: new Date().toISOString().slice(0, 10),
    commit: commitText(describeCommit(path.join(__dirname, '../..'))),
    rounds: settings.rounds,
    versions: Object.fromEntries(competitors.flatMap(({ name, package: id }) => id === undefined ? [] : [[name, versionOf(id)]])),
    rows: []
  }
  const steps = [
    ...rows.map((row) => ({ name: row.name, take: async () => { results.rows.push(await measureRow(row, settings)) } })),
    { name: COLD, take: () => { results.cold = measureCold(settings) } }
  ].filter(({ name }) => name.includes(filter))
  if (steps.length === 0) throw new UserError(`nothing has "${filter}" in its name`)

  const failures = []
  const progress = createProgress()
  for (const [index, { name, take }] of steps.entries()) {
    progress.update(index / steps.length, name)
    try {
      await take()
    } catch (error) {
      failures.push(`${name}: ${error.message}`)
    }
  }
  progress.stop()
  return { results, failures }
}

module.exports = run
