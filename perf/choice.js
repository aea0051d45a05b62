'use strict'

const { plantCost } = require('./plant')
const { remoteSide } = require('./remote')
const { forgetOldSides, prepareSide } = require('./sides')

/**
 * Installs the sides that the command line asks for.
 *
 * @param {import('./scenario').Scenario[]} scenarios
 * @param {object} settings of arguments.js
 * @param {object} progress of progress.js
 * @returns {Promise<import('./sides').Side[]>} A, or A and B
 */
async function prepareSides (scenarios, settings, progress) {
  if (settings.urls.length > 0) return Promise.all(settings.urls.map((url, i) => remoteSide('AB'[i], url, scenarios[0])))
  forgetOldSides()
  const apps = [...new Set(scenarios.map(({ app }) => app))]
  progress.say('installing side A')
  const a = await prepareSide('A', settings.baseline, apps, process.cwd())
  if (settings.calibrate) return [a, { ...a, letter: 'B' }]
  if (settings.plant !== null) return [a, await plantCost(a, scenarios[0], settings, progress)]
  if (settings.overrides === null) return [a]
  progress.say('installing side B')
  return [a, await prepareSide('B', settings.overrides, apps, process.cwd())]
}

module.exports = { prepareSides }
