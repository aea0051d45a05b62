'use strict'

const path = require('node:path')
const { clearOutput, writeJson } = require('../../tools/atomic-write')
const { commitText, describeCommit, describeMachine } = require('../../tools/machine')
const { createProgress } = require('../../tools/progress')
const UserError = require('../../tools/user-error')
const { competitors } = require('../competitors')
const { packageOf } = require('../measure/footprint')
const plan = require('./plan')
const print = require('./print')
const { FORMAT } = require('./validate-results')

// Rounds are short, so that the noise of the machine spares some of them.
const FULL = { rounds: 9, again: 1, roundTime: 4, warmUp: 110, coldRounds: 5, holders: 2 } // times in ms
const QUICK = { rounds: 8, again: 0, roundTime: 3, warmUp: 100, coldRounds: 3, holders: 1 }

/**
 * Measures what the filter selects, prints it, and writes it to a file.
 *
 * @param {object} values of the command line
 * @param {{ path: string, version: string }} values.node to run
 */
async function run ({ filter, express, quick, json, node }) {
  const steps = plan(filter)
  if (steps.length === 0) throw new UserError(`nothing has "${filter}" in its name`)
  const settings = { express, node: node.path, ...(quick ? QUICK : FULL) }
  if (json !== null) clearOutput([json])
  const { cpu, cores } = describeMachine()
  const results = {
    format: FORMAT,
    node: node.version,
    machine: `${cpu.trim()}, ${cores} cores`,
    requests: express ? "Express's" : 'plain',
    date: new Date().toISOString().slice(0, 10),
    commit: commitText(describeCommit(path.join(__dirname, '../..'))),
    quick,
    rounds: settings.rounds,
    versions: versionsOf(competitors)
  }

  const failures = await take(steps, results, settings)
  if (json !== null) writeJson(json, JSON.parse(JSON.stringify(results, round)))
  print(results)
  if (failures.length > 0) throw new UserError(`not everything could be measured\n${failures.join('\n')}`)
}

/** @returns {Promise<string[]>} what went wrong: the other steps are worth having without it */
async function take (steps, results, settings) {
  const failures = []
  const progress = createProgress()
  for (const [index, { name, run }] of steps.entries()) {
    progress.update(index / steps.length, name)
    try {
      await run(results, settings)
    } catch (error) {
      failures.push(`${name}: ${error.message}`)
    }
  }
  progress.stop()
  return failures
}

/** The version of each competitor that comes from npm, by its name. */
function versionsOf (competitors) {
  const versions = {}
  for (const { name, package: id } of competitors) {
    if (id !== undefined) versions[name] = packageOf(id).version
  }
  return versions
}

/** Six digits are more than the noise leaves. */
function round (key, value) {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value
}

module.exports = run
