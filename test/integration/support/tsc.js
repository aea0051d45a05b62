'use strict'

// The compiler of a version of TypeScript, as a process: version 7 has no API.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')

/**
 * @param {string} name of the package: `typescript-7`
 * @param {string} folder with a tsconfig.json
 * @returns {string[]} errors of the program and of this package; older compilers find some in the types of others
 */
module.exports = function compile (name, folder) {
  const { bin } = require(`${name}/package.json`)
  const tsc = path.join(path.dirname(require.resolve(`${name}/package.json`)), bin.tsc)
  const args = [tsc, '-p', folder, '--pretty', 'false']
  const { error, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  assert.ifError(error)
  const isOurs = (line) => !/node_modules\/(?!fast-body-parser\/)/.test(line)
  return stdout.split('\n').filter((line) => /error TS/.test(line) && isOurs(line))
}
