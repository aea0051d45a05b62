'use strict'

const UserError = require('../../tools/user-error')
const { skippedText } = require('../results/format')
const { SkipScenario } = require('../scenarios')
const { measureRun } = require('./run')
const { verifyTarget } = require('./verify')

/**
 * Verifies every scenario on every target before any of them is timed.
 *
 * @param {import('../targets/install').Target[]} targets
 * @param {import('../scenarios').Scenario[]} scenarios
 * @param {import('../load/driver')} driver
 * @returns {Promise<{ fit: object[], loaded: object, skipped: object[] }>} the
 *   scenarios that every target can run; scenario -> target -> packages; name
 *   and reason of the other scenarios
 * @throws {UserError} if none is left
 */
async function verifyAll (targets, scenarios, driver) {
  const loaded = {}
  const skipped = []
  for (const scenario of scenarios) {
    try {
      const packages = {}
      for (const target of targets) packages[target.letter] = await verifyTarget(target, scenario, driver)
      loaded[scenario.name] = packages
    } catch (error) {
      if (!(error instanceof SkipScenario)) throw error
      skipped.push({ name: scenario.name, reason: error.message })
    }
  }
  const fit = scenarios.filter(({ name }) => name in loaded)
  if (fit.length === 0) throw new UserError(skippedText(skipped))
  return { fit, loaded, skipped }
}

/**
 * Measures one scenario in several runs, each with new processes.
 *
 * @param {object} plan targets, driver, random, settings, progress
 * @param {import('../scenarios').Scenario} scenario
 * @returns {Promise<{ runs: object[], blocks: object[] }>} runs: number, and when
 *   each target became steady, or null; blocks of the runs that were steady
 * @throws {UserError} if too few runs were steady
 */
async function measureScenario (plan, scenario) {
  const { settings, progress } = plan
  const rates = {}
  const runs = []
  const blocks = []
  let counted = 0
  while (counted < settings.runs && runs.length < settings.runs + settings.spare) {
    const run = runs.length + 1
    const { warmUp, isSteady, blocks: measured } = await measureRun(plan.targets, scenario, { ...plan, rates })
    runs.push({ run, isSteady, warmUp })
    blocks.push(...measured.map((block) => ({ run, ...block })))
    if (isSteady) counted++
    progress.run(scenario, run, counted, runs.at(-1), measured)
  }
  if (counted < settings.fewestRuns) throw new UserError(unsteadyText(scenario, runs, settings))
  return { runs, blocks }
}

function unsteadyText ({ name }, runs, { warmup, fewestRuns }) {
  const steady = runs.filter(({ isSteady }) => isSteady).length
  return `${name}: within --warmup=${warmup} s of load the servers became steady in ${steady} of ${runs.length} runs, ` +
    `and ${fewestRuns} are needed: allow more time, or find a quieter machine`
}

/**
 * @param {object} plan targets (one or two), scenarios, driver, random, settings, progress
 * @returns {Promise<Record<string, { runs: object[], blocks: object[] }>>} by scenario
 */
async function measureAll (plan) {
  const results = {}
  for (const scenario of plan.scenarios) {
    results[scenario.name] = await measureScenario(plan, scenario)
    plan.progress.done(scenario)
  }
  return results
}

module.exports = { verifyAll, measureAll }
