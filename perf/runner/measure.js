'use strict'

const { randomUUID } = require('node:crypto')
const { chooseCores } = require('../../tools/cpu-affinity')
const { createRandom } = require('../../tools/random')
const { mean } = require('../../tools/statistics')
const UserError = require('../../tools/user-error')
const defaults = require('../defaults')
const Driver = require('../load/driver')
const { skippedText } = require('../results/format')
const { entriesOf, resultOf } = require('../results/result')
const { measureAll, verifyAll } = require('./experiment')

/**
 * Measures the scenarios on one target, or on two alternately.
 *
 * @param {import('../targets/install').Target[]} targets
 * @param {import('../scenarios').Scenario[]} scenarios
 * @param {object} settings of options.js
 * @param {object} progress of report/progress.js
 * @returns {Promise<object[]>} a result (see results/result.js) per target
 */
function measure (targets, scenarios, settings, progress) {
  return withDriver(async (driver, cores) => {
    progress.say(`verifying the ${targets.length === 1 ? 'target' : 'targets'}`)
    const { fit, loaded, skipped } = await verifyAll(targets, scenarios, driver)
    if (skipped.length > 0) progress.say(skippedText(skipped))
    progress.expect(fit.length)
    const plan = {
      id: randomUUID(),
      targets,
      scenarios: fit,
      driver,
      cores,
      progress,
      settings: { ...statisticsOf(settings), ...loadOf(settings), core: cores?.server },
      random: createRandom(settings.seed)
    }
    const measured = await measureAll(plan)
    const { entries, skipped: unsteady } = entriesOf(fit, plan.settings, measured)
    if (entries.length === 0) throw new UserError(skippedText(unsteady))
    const session = { ...plan, entries, skipped: [...skipped, ...unsteady] }
    return targets.map((target) => resultOf(session, target, measured, loaded))
  })
}

/** @returns {Promise<number>} us of CPU time that a request takes, of one run */
async function measureCpu (target, scenario, settings, progress) {
  const [{ scenarios: [{ blocks }] }] = await measure([target], [scenario], { ...settings, runs: 1, fewestRuns: 1 }, progress)
  return mean(blocks.map(({ cpu }) => cpu))
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
function statisticsOf ({ runs, fewestRuns, threshold, seed }) {
  const { alpha, drift } = defaults
  return { runs, fewestRuns, threshold, seed, alpha, drift }
}

function loadOf ({ loads, warmup, duration, keepGoing }) {
  const { lead, rounds, spare } = defaults
  return { loads, warmup, lead, duration, rounds, spare, keepGoing }
}

module.exports = { measure, measureCpu, withDriver, statisticsOf }
