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
 * @param {string} folder
 * @returns {{ hash: string, clean: boolean } | null} the commit that a working tree is on, null outside of git;
 *   `clean` if no code that is packed differs from it
 */
function describeCommit (folder) {
  const git = (...args) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  const head = git('rev-parse', 'HEAD')
  if (head.status !== 0) return null
  return { hash: head.stdout.trim(), clean: git('status', '--porcelain', '--', ...CODE).stdout === '' }
}

/** @returns {{ node: string, machine: string, date: string, commit: string }} what figures were measured on */
function describeRun (node) {
  const { cpu, cores } = describeMachine()
  const { hash = 'unknown', clean = true } = describeCommit(path.join(__dirname, '..')) ?? {}
  const commit = `${hash.slice(0, 7)}${clean ? '' : ', changed'}`
  return { node, machine: `${cpu.trim()}, ${cores} cores`, date: new Date().toISOString().slice(0, 10), commit }
}

/** The line beside figures in pages. */
const runText = ({ node, machine, date, commit }) => `Node.js ${node}, ${machine}, ${date}, commit ${commit}`

module.exports = { describeMachine, describeCommit, describeRun, runText }
