'use strict'

// Starts processes, and kills them when this one exits. Those with an IPC channel
// exit when it closes (ipc.js), so that even a SIGKILL of this process
// leaves none behind.

const childProcess = require('node:child_process')

const alive = new Map() // intentionally global: child -> does it lead a process group?

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {import('node:child_process').ChildProcess}
 */
function spawn (command, args, options) {
  const child = childProcess.spawn(command, args, options)
  alive.set(child, options.detached === true)
  child.once('exit', () => alive.delete(child))
  child.once('error', () => alive.delete(child))
  return child
}

/** Kills one child, with its whole group if it leads one. */
function kill (child) {
  const leader = alive.get(child)
  if (leader === undefined || child.pid === undefined) return
  try {
    process.kill(leader ? -child.pid : child.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** Kills all children when this process exits, for any reason. */
function killOnExit () {
  process.on('exit', () => {
    for (const child of alive.keys()) kill(child)
  })
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, (_, number) => process.exit(128 + number))
}

module.exports = { spawn, kill, killOnExit }
