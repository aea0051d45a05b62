'use strict'

const UserError = require('../../tools/user-error')
const { skippedText } = require('../results/format')
const { SkipScenario } = require('../scenarios')
const { logRatio, primaryMetric } = require('../statistics/metrics')
const { planLooks } = require('../statistics/sequential')
const { isSettled } = require('../statistics/verdict')
const { measureRound, verifyTarget } = require('./round')

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
 * Measures one scenario on two targets, until the verdict is settled or the
 * time is over.
 *
 * @param {object} run targets, driver, random, settings, progress
 * @param {import('../scenarios').Scenario} scenario
 * @returns {Promise<{ blocks: object[], look: import('../statistics/sequential').Look }>}
 * @throws {UserError} if there is too little time
 */
async function compareTargets (run, scenario) {
  const { settings } = run
  const end = settings.rounds === 'auto' ? Date.now() + settings.maxTime * 1000 : Infinity
  const blocks = []
  const logs = []
  for (const look of planLooks(settings)) {
    while (logs.length < look.pairs) {
      const began = Date.now()
      const { A, B } = await measureNext(run, scenario, blocks)
      logs.push(logRatio(A, B, primaryMetric([A, B], settings.rate)))
      if (end - Date.now() > Date.now() - began) continue
      if (logs.length >= settings.fewestRounds) return { blocks, look: { ...look, pairs: logs.length } }
      throw new UserError(`${scenario.name}: --max-time=${settings.maxTime} was enough for ${logs.length} of at least ${settings.fewestRounds} rounds`)
    }
    if (settings.rounds !== 'auto' || isSettled(logs, look, settings)) return { blocks, look }
  }
}

/** Measures one scenario on one target. */
async function measureAlone (run, scenario) {
  const blocks = []
  for (let round = 1; round <= run.settings.rounds; round++) await measureNext(run, scenario, blocks)
  return { blocks, look: { number: 1, pairs: run.settings.rounds, share: 1 } }
}

async function measureNext ({ targets, driver, random, settings, progress }, scenario, blocks) {
  const round = blocks.length / targets.length + 1
  const pair = await measureRound(targets, scenario, driver, random, settings)
  for (const { letter } of targets) blocks.push({ round, ...pair[letter] })
  progress.round(scenario, round, pair)
  return pair
}

/**
 * @param {object} run targets (one or two), scenarios, driver, random, settings, progress
 * @returns {Promise<Record<string, { blocks: object[], look: object }>>} by scenario
 */
async function measureAll (run) {
  const results = {}
  for (const scenario of run.scenarios) {
    results[scenario.name] = await (run.targets.length === 2 ? compareTargets : measureAlone)(run, scenario)
    run.progress.done(scenario)
  }
  return results
}

module.exports = { verifyAll, measureAll }
