'use strict'

// The machine and the commit of a measurement.

const { spawnSync } = require('node:child_process')
const os = require('node:os')
const { files } = require('../package.json')

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
 * The commit that a working tree is on.
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

/** @param {ReturnType<typeof describeCommit>} commit @returns {string} such as `1c4011c, changed` */
function commitText (commit) {
  return commit === null ? 'unknown' : `${commit.hash.slice(0, 7)}${commit.clean ? '' : ', changed'}`
}

module.exports = { describeMachine, describeCommit, commitText }
