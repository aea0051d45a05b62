'use strict'

// Runs in the server: how long it worked from `start` to `read`.

const threadTime = require('../thread-time')

class LoadMeter {
  start () {
    this.loop = performance.eventLoopUtilization()
    this.cpu = process.cpuUsage()
    this.thread = threadTime()
  }

  /**
   * @returns {{ main: number, loop: number, cpu: number }} ms: that the main
   *   thread was on a CPU; that the event loop was busy, in which other
   *   processes may have had the CPU; of all threads on a CPU
   */
  read () {
    const loop = performance.eventLoopUtilization(this.loop).active
    const { user, system } = process.cpuUsage(this.cpu)
    const thread = threadTime()
    return { main: thread === null ? loop : thread.running - this.thread.running, loop, cpu: (user + system) / 1000 }
  }
}

module.exports = LoadMeter
