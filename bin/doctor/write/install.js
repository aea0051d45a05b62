'use strict'

// Installs by the package manager of a project.

const { spawnSync } = require('node:child_process')

/** In CI, pnpm and Yarn refuse to change a lock file unless they are told to. */
const ARGUMENTS = {
  pnpm: () => ['install', '--no-frozen-lockfile'],
  yarn: (major) => major === 1 ? ['install'] : ['install', '--no-immutable']
}

/**
 * @param {import('../project').Project} project
 * @throws {Error} if it fails
 */
function install ({ root, manager: { name, major } }) {
  const args = ARGUMENTS[name]?.(major) ?? ['install']
  // What it prints goes to stderr, so that stdout has the report alone.
  const options = { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' }
  // Whoever stops the installation stops that alone: what is written is then put back.
  const goOn = () => {}
  process.on('SIGINT', goOn)
  const { error, status } = spawnSync(name, args, options)
  process.off('SIGINT', goOn)
  if (error !== undefined) throw new Error(`${name} cannot be started (${error.code})`)
  if (status !== 0) throw new Error(`\`${[name, ...args].join(' ')}\` failed`)
}

module.exports = install
