'use strict'

// What instruments the code comes from npm when it is first needed.

const { execFileSync } = require('node:child_process')

function isInstalled () {
  try {
    require.resolve('istanbul-lib-instrument', { paths: [__dirname] })
    return true
  } catch {
    return false
  }
}

/** Installs what package.json here asks for, unless it is there. */
function install () {
  if (isInstalled()) return
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: __dirname, stdio: ['ignore', 'ignore', 'inherit'] })
}

module.exports = { install, isInstalled }
