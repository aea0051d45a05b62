'use strict'

const path = require('node:path')
const { installedPackages } = require('../../tools/npm')
const UserError = require('../../tools/user-error')
const { SkipScenario } = require('../scenarios')

/**
 * Checks that a server loaded the packages of its target, and no other copies
 * of them. A comparison in which the override was not even loaded looks like a
 * result, and is none.
 *
 * @param {import('./install').Target} target
 * @param {string} app of the target
 * @param {{ nodeVersion: string, packages: { name: string, version: string, path: string }[] }} loaded
 *   as the server reports it
 * @param {string} scenario
 * @throws {UserError} a SkipScenario if the server did not load a package at all
 */
module.exports = function verifyPackages (target, app, loaded, scenario) {
  const where = `target ${target.letter}, ${scenario}`
  if (loaded.nodeVersion !== target.node.version) {
    throw new UserError(`${where}: runs on Node.js ${loaded.nodeVersion}, not ${target.node.version}`)
  }
  const { folder } = target.apps[app]
  const installed = installedPackages(folder)
  for (const [name, expected] of Object.entries(target.resolved)) {
    const copies = loaded.packages.filter((copy) => copy.name === name)
    if (copies.length === 0) {
      throw new SkipScenario(`target ${target.letter} did not load ${name}, so this says nothing about it`)
    }
    for (const copy of copies) {
      const location = path.relative(folder, copy.path).split(path.sep).join('/')
      const found = installed[location]
      if (found === undefined || found.integrity !== expected.integrity) {
        throw new UserError(`${where}: the server loaded ${name} ${copy.version} from ${copy.path}, ` +
          `not ${expected.name} ${expected.version}`)
      }
    }
  }
}
