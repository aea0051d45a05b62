'use strict'

// Starts processes, and kills them when this one exits. Those with an IPC channel exit when it closes (ipc.js), so that
// even a SIGKILL of this process leaves none behind.

const childProcess = require('node:child_process')

const alive = new Set() // intentionally global

/** As of node:child_process. @returns {import('node:child_process').ChildProcess} */
function spawn (command, args, options) {
  const child = childProcess.spawn(command, args, options)
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  child.once('error', () => alive.delete(child))
  return child
}

/** Kills all children when this process exits, for any reason. */
function killOnExit () {
  process.on('exit', () => {
    for (const child of alive) child.kill('SIGKILL')
  })
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, (_, number) => process.exit(128 + number))
}

module.exports = { spawn, killOnExit }
