'use strict'

// Starts processes and sees to it that none outlives this one. Servers and
// drivers have an IPC channel as well, and leave by themselves when it closes,
// so that not even a SIGKILL of this process leaves one behind.

const { spawn } = require('node:child_process')

const alive = new Map() // child -> whether it leads a process group

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {import('node:child_process').ChildProcess}
 */
function start (command, args, options) {
  const child = spawn(command, args, options)
  alive.set(child, options.detached === true)
  child.once('exit', () => alive.delete(child))
  child.once('error', () => alive.delete(child))
  return child
}

/** Ends one child at once, with its whole group if it leads one. */
function end (child) {
  const leader = alive.get(child)
  if (leader === undefined || child.pid === undefined) return
  try {
    process.kill(leader ? -child.pid : child.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }

/**
 * Ends all children when this process ends, however it does.
 *
 * @param {Function} tidy called after that; must be synchronous
 */
function endWithThisProcess (tidy = () => {}) {
  process.on('exit', () => {
    for (const child of alive.keys()) end(child)
    tidy()
  })
  for (const [signal, number] of Object.entries(SIGNALS)) {
    process.on(signal, () => process.exit(128 + number))
  }
}

module.exports = { start, end, endWithThisProcess }
