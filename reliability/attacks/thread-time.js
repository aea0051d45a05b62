'use strict'

// The time of the main thread, as Linux counts it. It leaves out what other
// processes did meanwhile, which a clock does not.

const fs = require('node:fs')

let schedule // file descriptor; null where there is no such file
const line = Buffer.alloc(128)

/** @returns {{ running: number, waiting: number } | null} ms on a CPU, and ms ready to run while others had it; null if unknown */
function threadTime () {
  if (schedule === undefined) schedule = openSchedule()
  if (schedule === null) return null
  const end = fs.readSync(schedule, line, 0, line.length, 0)
  const [running, waiting] = line.latin1Slice(0, end).split(' ')
  return { running: running / 1e6, waiting: waiting / 1e6 }
}

function openSchedule () {
  try {
    return fs.openSync('/proc/self/schedstat')
  } catch {
    return null // not Linux
  }
}

module.exports = threadTime
