'use strict'

const { forgetOldSides, prepareSide } = require('./sides')

/**
 * Installs the sides that the command line asks for.
 *
 * @param {import('./scenario').Scenario[]} scenarios
 * @param {object} settings of arguments.js
 * @param {object} progress of progress.js
 * @returns {Promise<import('./sides').Side[]>} A, or A and B
 */
async function prepareSides (scenarios, { baseline, overrides, compares }, progress) {
  forgetOldSides()
  const apps = [...new Set(scenarios.map(({ app }) => app))]
  progress.say('installing side A')
  const a = await prepareSide('A', baseline, apps, process.cwd())
  if (!compares) return [a]
  progress.say('installing side B')
  return [a, await prepareSide('B', overrides, apps, process.cwd())]
}

module.exports = { prepareSides }
