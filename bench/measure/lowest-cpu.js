'use strict'

function cpuTime () {
  const { user, system } = process.cpuUsage()
  return user + system
}

/**
 * Does something again and again. Other processes share the cores, so the least is nearest to what it takes.
 *
 * @param {() => unknown} act
 * @param {{ time: number, batch?: number }} how long, in ms of CPU time: all, and what is measured at a time; an act by
 *   default
 * @returns {Promise<number>} us of CPU time, on average of the batch that took least
 */
module.exports = async function lowestCpu (act, { time, batch = 0 }) {
  let lowest = Infinity
  const end = cpuTime() + time * 1000
  for (let now = cpuTime(); now < end;) {
    const before = now
    let done = 0
    do {
      await act()
      done++
      now = cpuTime()
    } while (now < before + batch * 1000)
    lowest = Math.min(lowest, (now - before) / done)
  }
  return lowest
}
