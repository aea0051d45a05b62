'use strict'

const { installTarget, removeOldTargets } = require('./install')
const { remoteTarget } = require('./remote-server')

/**
 * Installs the targets that the command line asks for.
 *
 * @param {import('../scenarios').Scenario[]} scenarios
 * @param {object} settings of options.js
 * @param {(line: string) => void} say
 * @param {(a: import('./install').Target) => Promise<import('./install').Target>} injectFault
 *   installs A once more, with a fault in it
 * @returns {Promise<import('./install').Target[]>} A, or A and B
 */
module.exports = async function selectTargets (scenarios, settings, say, injectFault) {
  if (settings.urls.length > 0) return Promise.all(settings.urls.map((url, i) => remoteTarget('AB'[i], url, scenarios[0])))
  removeOldTargets()
  const apps = [...new Set(scenarios.map(({ app }) => app))]
  say('installing target A')
  const a = await installTarget('A', settings.baseline, apps, process.cwd())
  if (settings.calibrate) return [a, { ...a, letter: 'B' }]
  if (settings.injectFault !== null) return [a, await injectFault(a)]
  if (settings.overrides === null) return [a]
  say('installing target B')
  return [a, await installTarget('B', settings.overrides, apps, process.cwd())]
}
