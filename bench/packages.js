'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { ensurePackages } = require('../tools/npm')
const UserError = require('../tools/user-error')

const ROOT = path.join(__dirname, '..')

/**
 * Installs the packages that a command needs, unless they are there. What is
 * required before that must need none.
 *
 * @param {...string} more folders, besides bench/
 */
module.exports = function installPackages (...more) {
  if (!fs.existsSync(path.join(ROOT, 'node_modules'))) throw new UserError('run "npm install" in the root of the project first')
  ensurePackages(__dirname, ...more)
}
