'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const children = require('./children')
const Failure = require('./failure')
const { removeUnfinished } = require('./temporary')

/**
 * Runs a command-line program: errors go to stderr in one line, the exit
 * status tells, and neither processes nor half-made files stay behind.
 *
 * @param {() => Promise<void> | void} main
 */
async function runProgram (main) {
  children.endWithThisProcess(removeUnfinished)
  try {
    await main()
  } catch (error) {
    const told = error instanceof Failure || error.syscall !== undefined // no right, no room: for the user to mend
    process.stderr.write(`${told ? `error: ${error.message}` : error.stack}\n`)
    process.exit(1)
  }
}

/** Installs the packages of this folder, if that was not done since they were chosen. */
function needPackages () {
  const { dependencies } = require('./package.json')
  if (Object.keys(dependencies).every((name) => fs.existsSync(path.join(__dirname, 'node_modules', name)))) return
  process.stderr.write('installing the packages of the load tests\n')
  const { status } = spawnSync('npm', ['ci', '--prefix', __dirname, '--no-audit', '--no-fund'], { cwd: __dirname, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Failure(`npm ci failed in ${__dirname}`)
}

module.exports = { runProgram, needPackages }
