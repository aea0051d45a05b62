'use strict'

const { randomUUID } = require('node:crypto')
const defaults = require('./defaults')
const { runAll, verifyAll } = require('./experiment')
const Driver = require('./driver')
const { chooseCores } = require('./pinning')
const createRandom = require('./random')
const { resultOf } = require('./result')
const { skippedText } = require('./words')

/**
 * Runs the scenarios on one side, or on two in turn.
 *
 * @param {import('./sides').Side[]} sides
 * @param {import('./scenario').Scenario[]} scenarios
 * @param {object} settings of arguments.js
 * @param {object} progress of progress.js
 * @returns {Promise<object[]>} a result (see result.js) per side
 */
async function run (sides, scenarios, settings, progress) {
  const cores = chooseCores()
  const driver = new Driver(cores?.driver)
  try {
    progress.say(`checking what ${scenarios.length === 1 ? 'the server' : 'the servers'} loaded and parsed`)
    const { fit, loaded, skipped } = await verifyAll(sides, scenarios, driver)
    if (skipped.length > 0) progress.say(skippedText(skipped))
    progress.expect(fit.length)
    const order = {
      id: randomUUID(),
      sides,
      scenarios: fit,
      skipped,
      driver,
      cores,
      progress,
      settings: { ...statisticsOf(settings, fit.length), ...loadOf(settings), core: cores?.server },
      random: createRandom(settings.seed)
    }
    const measured = await runAll(order)
    return sides.map((side) => resultOf(order, side, measured, loaded))
  } finally {
    await driver.close()
  }
}

/** What decides on verdicts. */
function statisticsOf ({ rounds, fewestRounds, maxTime, threshold, seed }, scenarios) {
  const { alpha, firstLook, lookGrowth, resamples, drift } = defaults
  return { rounds, fewestRounds, maxTime, threshold, seed, scenarios, alpha, firstLook, lookGrowth, resamples, drift }
}

function loadOf ({ connections, duration, warmup, rate }) {
  return { connections, duration, slice: defaults.slice, warmup, rate }
}

module.exports = { run, statisticsOf }
