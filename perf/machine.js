'use strict'

const { spawnSync } = require('node:child_process')
const os = require('node:os')
const { files } = require('../package.json')

/** What a figure depends on besides the code. */
function describeMachine () {
  const cpus = os.cpus()
  return {
    platform: os.platform(),
    arch: os.arch(),
    kernel: os.release(),
    cpu: cpus[0]?.model ?? 'unknown',
    cores: cpus.length,
    memory: os.totalmem() // bytes
  }
}

/**
 * The commit that the working tree is on.
 *
 * @param {string} folder
 * @returns {{ hash: string, clean: boolean } | null} null outside of git;
 *   `clean` if no file that is packed differs from it
 */
function describeCommit (folder) {
  const git = (...args) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  const head = git('rev-parse', 'HEAD')
  if (head.status !== 0) return null
  const changed = git('status', '--porcelain', '--', 'package.json', ...files)
  return { hash: head.stdout.trim(), clean: changed.stdout === '' }
}

module.exports = { describeMachine, describeCommit }
