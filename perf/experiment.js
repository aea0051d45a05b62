'use strict'

const Failure = require('./failure')
const { planLooks } = require('./looks')
const { measureRound, verify } = require('./measure')
const { logRatio, primaryMetric } = require('./primary')
const Unfit = require('./unfit')
const { isSettled } = require('./verdict')
const { skippedText } = require('./words')

/**
 * Looks at every scenario on every side before any of them is timed.
 *
 * @param {import('./sides').Side[]} sides
 * @param {import('./scenario').Scenario[]} scenarios
 * @param {import('./driver')} driver
 * @returns {Promise<{ fit: object[], loaded: object, skipped: object[] }>} the
 *   scenarios that every side can do; scenario -> side -> packages; name and
 *   reason of the other scenarios
 * @throws {Failure} if none is left
 */
async function verifyAll (sides, scenarios, driver) {
  const loaded = {}
  const skipped = []
  for (const scenario of scenarios) {
    try {
      const packages = {}
      for (const side of sides) packages[side.letter] = await verify(side, scenario, driver)
      loaded[scenario.name] = packages
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      skipped.push({ name: scenario.name, reason: error.message })
    }
  }
  const fit = scenarios.filter(({ name }) => name in loaded)
  if (fit.length === 0) throw new Failure(skippedText(skipped))
  return { fit, loaded, skipped }
}

/**
 * Measures one scenario on two sides, until the verdict is settled or the time
 * is over.
 *
 * @param {object} run sides, driver, random, settings, progress
 * @param {import('./scenario').Scenario} scenario
 * @returns {Promise<{ blocks: object[], look: import('./looks').Look }>}
 * @throws {Failure} if that is too little time
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
      if (end - Date.now() > Date.now() - began) continue
      if (logs.length >= settings.fewestRounds) return { blocks, look: { ...look, pairs: logs.length } }
      throw new Failure(`${scenario.name}: --max-time=${settings.maxTime} was enough for ${logs.length} of at least ${settings.fewestRounds} rounds`)
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
