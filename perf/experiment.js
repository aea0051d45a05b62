'use strict'

const { pairOrders } = require('./blocks')
const { planLooks } = require('./looks')
const { measure, verify } = require('./measure')
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
 * Measures one scenario on two sides in turn, until the verdict is settled or
 * the time is over.
 *
 * @param {object} run sides, driver, random, settings, progress
 * @param {import('./scenario').Scenario} scenario
 * @returns {Promise<{ blocks: object[], look: import('./looks').Look }>}
 */
async function compareSides ({ sides, driver, random, settings, progress }, scenario) {
  const byLetter = Object.fromEntries(sides.map((side) => [side.letter, side]))
  const end = settings.rounds === 'auto' ? Date.now() + settings.maxTime * 1000 : Infinity
  const orders = pairOrders(random)
  const blocks = []
  const logs = []
  for (const look of planLooks(settings)) {
    while (logs.length < look.pairs) {
      const began = Date.now()
      const pair = {}
      for (const letter of orders.next().value) {
        const block = await measure(byLetter[letter], scenario, driver, settings)
        blocks.push({ round: logs.length + 1, ...block })
        pair[letter] = block
      }
      logs.push(Math.log(primaryOf(pair.B) / primaryOf(pair.A)))
      progress.round(scenario, logs.length, pair)
      const left = end - Date.now()
      if (left < Date.now() - began) return { blocks, look: { ...look, pairs: logs.length } }
    }
    const settled = logs.length > 1 && isSettled(logs, look, settings)
    if (settled || settings.rounds !== 'auto') return { blocks, look }
  }
}

/** CPU time; where it is unknown, the time that a response takes at full load. */
function primaryOf (block) {
  return block.cpu ?? 1 / block.rps
}

/** Measures one scenario on one side. */
async function measureAlone ({ sides: [side], driver, settings, progress }, scenario) {
  const blocks = []
  for (let round = 1; round <= settings.rounds; round++) {
    const block = await measure(side, scenario, driver, settings)
    blocks.push({ round, ...block })
    progress.round(scenario, round, { [side.letter]: block })
  }
  return { blocks, look: { number: 1, pairs: settings.rounds, share: 1 } }
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
