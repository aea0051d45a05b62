'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { withTemporaryFolder } = require('../../tools/atomic-write')
const defaults = require('../defaults')
const { installTarget } = require('../targets/install')

/**
 * Installs a target whose parser has a planted cost.
 *
 * @param {string} letter
 * @param {{ kind: 'atOnce' | 'perTurn', cost: number }} parser us; see planted.js
 * @param {string} app
 * @param {Record<string, string>} overrides others
 * @returns {Promise<import('../targets/install').Target>}
 */
module.exports = function plant (letter, { kind, cost }, app, overrides) {
  return withTemporaryFolder(path.join(defaults.cache, 'faults', 'planted'), (folder) => {
    for (const file of ['burning.js', 'planted.js']) fs.copyFileSync(path.join(__dirname, file), path.join(folder, file))
    fs.writeFileSync(path.join(folder, 'index.js'), `module.exports = require('./planted.js').${kind}(${cost * 1000})\n`)
    fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: `planted-${kind.toLowerCase()}-${cost}`, version: '1.0.0', main: 'index.js' }))
    return installTarget(letter, { ...overrides, 'body-parser': folder }, [app], process.cwd())
  })
}
