'use strict'

// Plants a known cost: a copy of the parser under test that burns so much more
// CPU time per request. A harness that does not find it is of no use.

const fs = require('node:fs')
const path = require('node:path')
const defaults = require('./defaults')
const Driver = require('./driver')
const { measureRound } = require('./measure')
const { chooseCores } = require('./pinning')
const { prepareSide } = require('./sides')
const { withFolder } = require('./temporary')

/**
 * Installs side A once more as side B, with the cost in it.
 *
 * @param {import('./sides').Side} a
 * @param {import('./scenario').Scenario} scenario
 * @param {object} settings of arguments.js; `plant` in % of the CPU time that
 *   a request takes on side A, which is measured first
 * @param {object} progress
 * @returns {Promise<import('./sides').Side>}
 */
async function plantCost (a, scenario, settings, progress) {
  const cpu = await cpuPerRequest(a, scenario, settings) // us
  const cost = cpu * settings.plant / 100 // us
  progress.say(`planting ${cost.toFixed(2)} us, ${settings.plant} % of ${cpu.toFixed(1)} us per request, in side B`)
  return withFolder(path.join(defaults.cache, 'plants', 'plant'), (folder) => {
    const original = path.join(a.apps[scenario.app].folder, 'node_modules', 'body-parser')
    fs.cpSync(original, folder, { recursive: true })
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const main = `./${path.relative(folder, require.resolve(folder))}`
    fs.copyFileSync(path.join(__dirname, 'burning.js'), path.join(folder, 'burning.js'))
    fs.writeFileSync(path.join(folder, 'planted.js'), `'use strict'

const { burning, burner } = require('./burning.js')

module.exports = burning(require('${main}'), burner(${cost * 1000})) // ns
`)
    const { exports: _, files: __, scripts: ___, ...kept } = manifest
    fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...kept, name: `${manifest.name}-planted`, main: 'planted.js' }))
    return prepareSide('B', { ...a.overrides, 'body-parser': folder }, [scenario.app], process.cwd())
  })
}

async function cpuPerRequest (side, scenario, { connections, rate, warmup, duration }) {
  const cores = chooseCores()
  const driver = new Driver(cores?.driver)
  try {
    const settings = { connections, rate, warmup, duration, slice: defaults.slice, core: cores?.server }
    const { A } = await measureRound([side], scenario, driver, Math.random, settings)
    return A.cpu
  } finally {
    await driver.close()
  }
}

module.exports = { plantCost }
