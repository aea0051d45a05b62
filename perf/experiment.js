'use strict'

const { planLooks } = require('./looks')
const { measureRound, verify } = require('./measure')
const { logRatio, primaryMetric } = require('./primary')
const { isSettled } = require('./verdict')

/**
 * Looks at every scenario on every side before any of them is timed.
 *
 * @param {object} run sides, scenarios, driver
 * @returns {Promise<Record<string, Record<string, object[]>>>} what was
 *   loaded: scenario -> side -> packages
 */
async function verifyAll ({ sides, scenarios, driver }) {
  const loaded = {}
  for (const scenario of scenarios) {
    loaded[scenario.name] = {}
    for (const side of sides) loaded[scenario.name][side.letter] = await verify(side, scenario, driver)
  }
  return loaded
}

/**
 * Measures one scenario on two sides, until the verdict is settled or the time
 * is over.
 *
 * @param {object} run sides, driver, random, settings, progress
 * @param {import('./scenario').Scenario} scenario
 * @returns {Promise<{ blocks: object[], look: import('./looks').Look }>}
 */
async function compareSides (run, scenario) {
  const { settings } = run
  const end = settings.rounds === 'auto' ? Date.now() + settings.maxTime * 1000 : Infinity
  const blocks = []
  const logs = []
  for (const look of planLooks(settings)) {
    while (logs.length < look.pairs) {
      const began = Date.now()
      const { A, B } = await measureNext(run, scenario, blocks)
      logs.push(logRatio(A, B, primaryMetric([A, B], settings.rate)))
      if (end - Date.now() < Date.now() - began) return { blocks, look: { ...look, pairs: logs.length } }
    }
    if (settings.rounds !== 'auto' || isSettled(logs, look, settings)) return { blocks, look }
  }
}

/** Measures one scenario on one side. */
async function measureAlone (run, scenario) {
  const blocks = []
  for (let round = 1; round <= run.settings.rounds; round++) await measureNext(run, scenario, blocks)
  return { blocks, look: { number: 1, pairs: run.settings.rounds, share: 1 } }
}

async function measureNext ({ sides, driver, random, settings, progress }, scenario, blocks) {
  const round = blocks.length / sides.length + 1
  const pair = await measureRound(sides, scenario, driver, random, settings)
  for (const { letter } of sides) blocks.push({ round, ...pair[letter] })
  progress.round(scenario, round, pair)
  return pair
}

/**
 * @param {object} run sides (one or two), scenarios, driver, random, settings, progress
 * @returns {Promise<Record<string, { blocks: object[], look: object }>>} by scenario
 */
async function runAll (run) {
  const results = {}
  for (const scenario of run.scenarios) {
    results[scenario.name] = await (run.sides.length === 2 ? compareSides : measureAlone)(run, scenario)
    run.progress.done(scenario)
  }
  return results
}

module.exports = { verifyAll, runAll }
