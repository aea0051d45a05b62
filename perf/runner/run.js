'use strict'

const { randomUUID } = require('node:crypto')
const { chooseCores } = require('../../tools/cpu-affinity')
const { createRandom } = require('../../tools/random')
const defaults = require('../defaults')
const Driver = require('../load/driver')
const { skippedText } = require('../results/format')
const { resultOf } = require('../results/result')
const { measureAll, verifyAll } = require('./experiment')
const { measureRound } = require('./round')

/**
 * Runs the scenarios on one target, or on two alternately.
 *
 * @param {import('../targets/install').Target[]} targets
 * @param {import('../scenarios').Scenario[]} scenarios
 * @param {object} settings of options.js
 * @param {object} progress of report/progress.js
 * @returns {Promise<object[]>} a result (see results/result.js) per target
 */
function run (targets, scenarios, settings, progress) {
  return withDriver(async (driver, cores) => {
    progress.say(`verifying the ${targets.length === 1 ? 'target' : 'targets'}`)
    const { fit, loaded, skipped } = await verifyAll(targets, scenarios, driver)
    if (skipped.length > 0) progress.say(skippedText(skipped))
    progress.expect(fit.length)
    const plan = {
      id: randomUUID(),
      targets,
      scenarios: fit,
      skipped,
      driver,
      cores,
      progress,
      settings: { ...statisticsOf(settings, fit.length), ...loadOf(settings), core: cores?.server },
      random: createRandom(settings.seed)
    }
    const measured = await measureAll(plan)
    return targets.map((target) => resultOf(plan, target, measured, loaded))
  })
}

/** @returns {Promise<number>} us of CPU time that a request takes, of one block */
function measureCpu (target, scenario, settings) {
  return withDriver(async (driver, cores) => {
    const { A } = await measureRound([target], scenario, driver, Math.random, { ...loadOf(settings), core: cores?.server })
    return A.cpu
  })
}

async function withDriver (use) {
  const cores = chooseCores()
  const driver = new Driver(cores?.driver)
  try {
    return await use(driver, cores)
  } finally {
    await driver.close()
  }
}

/** The settings that decide on verdicts. */
function statisticsOf ({ rounds, fewestRounds, maxTime, threshold, seed }, scenarios) {
  const { alpha, firstLook, lookGrowth, resamples, drift } = defaults
  return { rounds, fewestRounds, maxTime, threshold, seed, scenarios, alpha, firstLook, lookGrowth, resamples, drift }
}

function loadOf ({ connections, duration, warmup, rate, keepGoing }) {
  return { connections, duration, slice: defaults.slice, warmup, rate, keepGoing }
}

module.exports = { run, measureCpu, withDriver, statisticsOf }
