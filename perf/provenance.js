'use strict'

const path = require('node:path')
const Failure = require('./failure')
const { installedPackages } = require('./npm')
const Unfit = require('./unfit')

/**
 * Did the server load what its side was told to, and nothing else under that
 * name? A comparison in which the override was not even loaded is the worst of
 * all: it looks like a result.
 *
 * @param {import('./sides').Side} side
 * @param {string} app which app of the side
 * @param {{ nodeVersion: string, packages: { name: string, version: string, path: string }[] }} loaded
 *   what the server reports
 * @param {string} scenario
 * @throws {Failure} an Unfit if it did not load it at all
 */
function checkLoaded (side, app, loaded, scenario) {
  const where = `side ${side.letter}, ${scenario}`
  if (loaded.nodeVersion !== side.node.version) {
    throw new Failure(`${where}: runs on Node.js ${loaded.nodeVersion}, not ${side.node.version}`)
  }
  const { folder } = side.apps[app]
  const installed = installedPackages(folder)
  for (const [name, told] of Object.entries(side.told)) {
    const copies = loaded.packages.filter((copy) => copy.name === name)
    if (copies.length === 0) {
      throw new Unfit(`side ${side.letter} did not load ${name}, so this says nothing about it`)
    }
    for (const copy of copies) {
      const location = path.relative(folder, copy.path).split(path.sep).join('/')
      const found = installed[location]
      if (found === undefined || found.integrity !== told.integrity) {
        throw new Failure(`${where}: the server loaded ${name} ${copy.version} from ${copy.path}, ` +
          `not ${told.name} ${told.version}`)
      }
    }
  }
}

module.exports = { checkLoaded }
