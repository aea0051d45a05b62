'use strict'

const { spawnSync } = require('node:child_process')

/**
 * Chooses the cores of a server and of the process that loads it, so that neither takes the other's time.
 *
 * @returns {{ server: number, driver: number } | null} null where this machine cannot pin processes, or has one core
 */
function chooseCores () {
  const { status, stdout } = spawnSync('taskset', ['-pc', String(process.pid)], { encoding: 'utf8' })
  if (status !== 0) return null
  const cores = stdout.slice(stdout.lastIndexOf(':') + 1).trim().split(',').flatMap((range) => { // such as 0-2,5
    const [first, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
  return cores.length < 2 ? null : { server: cores.at(-1), driver: cores.at(-2) }
}

/** The command that runs another one on a core, if there is one. @param {string[]} command @param {number} [core] */
const pinTo = (command, core) => core === undefined ? command : ['taskset', '-c', String(core), ...command]

module.exports = { chooseCores, pinTo }
