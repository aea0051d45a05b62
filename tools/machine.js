'use strict'

// The machine and the commit of a measurement.

const { spawnSync } = require('node:child_process')
const os = require('node:os')
const path = require('node:path')

const CODE = ['package.json', 'index.js', 'lib', 'multer']

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
 *   `clean` if no code that is packed differs from it
 */
function describeCommit (folder) {
  const git = (...args) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  const head = git('rev-parse', 'HEAD')
  if (head.status !== 0) return null
  const changed = git('status', '--porcelain', '--', ...CODE)
  return { hash: head.stdout.trim(), clean: changed.stdout === '' }
}

/**
 * What figures were measured on.
 *
 * @param {string} node version
 * @returns {{ node: string, machine: string, date: string, commit: string }} `commit`: such as `1c4011c, changed`
 */
function describeRun (node) {
  const { cpu, cores } = describeMachine()
  const { hash = 'unknown', clean = true } = describeCommit(path.join(__dirname, '..')) ?? {}
  const commit = `${hash.slice(0, 7)}${clean ? '' : ', changed'}`
  return { node, machine: `${cpu.trim()}, ${cores} cores`, date: new Date().toISOString().slice(0, 10), commit }
}

/** The line beside figures in pages. */
function runText ({ node, machine, date, commit }) {
  return `Node.js ${node}, ${machine}, ${date}, commit ${commit}`
}

module.exports = { describeMachine, describeCommit, describeRun, runText }
