'use strict'

// Injects a known fault: a copy of the parser under test that uses more CPU
// time per request. A harness that does not find it is useless.

const fs = require('node:fs')
const path = require('node:path')
const { withTemporaryFolder } = require('../../tools/atomic-write')
const defaults = require('../defaults')
const { installTarget } = require('../targets/install')

/**
 * Installs target A once more as target B, with the cost in it.
 *
 * @param {import('../targets/install').Target} a
 * @param {import('../scenarios').Scenario} scenario
 * @param {number} cost us per request
 * @returns {Promise<import('../targets/install').Target>}
 */
module.exports = function injectCost (a, scenario, cost) {
  return withTemporaryFolder(path.join(defaults.cache, 'faults', 'fault'), (folder) => {
    const original = path.join(a.apps[scenario.app].folder, 'node_modules', 'body-parser')
    fs.cpSync(original, folder, { recursive: true })
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const main = `./${path.relative(folder, require.resolve(folder))}`
    fs.copyFileSync(path.join(__dirname, 'burning.js'), path.join(folder, 'burning.js'))
    fs.writeFileSync(path.join(folder, 'costly.js'), `'use strict'

const { burning, burner } = require('./burning.js')

module.exports = burning(require('${main}'), burner(${cost * 1000})) // ns
`)
    const { exports: _, files: __, scripts: ___, ...kept } = manifest
    const costly = { ...kept, name: `${manifest.name}-costly`, main: 'costly.js' }
    fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(costly))
    return installTarget('B', { ...a.overrides, 'body-parser': folder }, [scenario.app], process.cwd())
  })
}
