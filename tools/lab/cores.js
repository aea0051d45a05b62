'use strict'

const { spawnSync } = require('node:child_process')

/**
 * Chooses the cores of a server and of the process that loads it, so that
 * neither takes the other's time.
 *
 * @returns {{ server: number, driver: number } | null} null where this machine
 *   cannot pin processes, or has one core
 */
function chooseCores () {
  const asked = spawnSync('taskset', ['-pc', String(process.pid)], { encoding: 'utf8' })
  if (asked.status !== 0) return null
  const cores = parseCores(asked.stdout.slice(asked.stdout.lastIndexOf(':') + 1))
  return cores.length < 2 ? null : { server: cores.at(-1), driver: cores.at(-2) }
}

/** `0-2,5` is 0, 1, 2 and 5. */
function parseCores (list) {
  return list.trim().split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}

/**
 * @param {string[]} command program and arguments
 * @param {number | undefined} core
 * @returns {string[]} the command that runs it on that core
 */
function pinTo (command, core) {
  return core === undefined ? command : ['taskset', '-c', String(core), ...command]
}

module.exports = { chooseCores, pinTo }
