'use strict'

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { competitors } = require('./competitors')
const { packageOf } = require('./footprint')
const plan = require('./plan')
const print = require('./print')
const createProgress = require('./progress')

// Rounds are short, so that some of them are left alone by whatever else runs.
const FULL = { rounds: 9, again: 1, roundTime: 4, warmUp: 110, coldRounds: 5, holders: 2 } // times in ms
const QUICK = { rounds: 8, again: 0, roundTime: 3, warmUp: 100, coldRounds: 3, holders: 1 }

/**
 * Measures what the filter chooses, prints it, and writes it to a file.
 *
 * @param {object} settings those of arguments.js, `node` being the path of the
 *   Node to run
 */
async function run (settings) {
  const steps = plan(settings.filter)
  if (steps.length === 0) throw new Error(`nothing has "${settings.filter}" in its name`)
  const how = { ...settings, ...(settings.quick ? QUICK : FULL) }
  const file = how.json && path.resolve(how.json)
  if (file) fs.closeSync(fs.openSync(file, 'a')) // better to fail now than with all measured
  const results = {
    node: execFileSync(how.node, ['--version'], { encoding: 'utf8' }).trim(),
    machine: `${os.cpus()[0].model.trim()}, ${os.cpus().length} cores`,
    requests: how.express ? "Express's" : 'plain',
    date: new Date().toISOString().slice(0, 10),
    commit: commitOf(__dirname),
    quick: how.quick,
    rounds: how.rounds,
    versions: versionsOf(competitors)
  }

  const failures = await take(steps, results, how)
  if (file) fs.writeFileSync(file, JSON.stringify(results, round))
  print(results)
  if (failures.length > 0) throw new Error(`not all could be measured\n${failures.join('\n')}`)
}

/** @returns {Promise<string[]>} what went wrong: one step is not worth all others */
async function take (steps, results, how) {
  const failures = []
  const progress = createProgress(steps.length)
  for (const { name, run } of steps) {
    progress.step(name)
    try {
      await run(results, how)
    } catch (error) {
      failures.push(`${name}: ${error.message}`)
    }
  }
  progress.stop()
  return failures
}

/** @returns {string | null} null where git knows of none */
function commitOf (folder) {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}

/** What is measured, by name; nothing for what is Node's own. */
function versionsOf (competitors) {
  const versions = {}
  for (const { name, package: id } of competitors) {
    if (id !== undefined) versions[name] = packageOf(id).version
  }
  return versions
}

/** Six digits are as fine as it gets. */
function round (key, value) {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value
}

module.exports = run
