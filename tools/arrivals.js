'use strict'

const { setTimeout: sleep } = require('node:timers/promises')

const EARLY = 2 // ms; a timer may be late by 1 ms, so the rest is waited for turn by turn

/**
 * Requests that arrive at random (a Poisson process), whatever the server does,
 * as those of many independent users do.
 */
class Arrivals {
  /**
   * @param {number} rate requests/s on average
   * @param {() => number} random from 0 to 1, without 1
   */
  constructor (rate, random) {
    this.interval = 1e9 / rate // ns
    this.random = random
  }

  /** @returns {bigint} ns to the next arrival */
  gap () {
    return BigInt(Math.round(-Math.log(1 - this.random()) * this.interval))
  }

  /**
   * @param {object} handlers
   * @param {() => boolean} handlers.isOpen whether requests still arrive
   * @param {(due: bigint, now: bigint) => void} handlers.arrive called for each
   *   request when it is due, or soon after; ns
   * @param {() => void} handlers.send called after that, in each turn of the event loop
   */
  async run ({ isOpen, arrive, send }) {
    let next = process.hrtime.bigint() + this.gap()
    while (isOpen()) {
      const now = process.hrtime.bigint()
      for (; next <= now; next += this.gap()) arrive(next, now)
      send()
      const ahead = Number(next - process.hrtime.bigint()) / 1e6
      if (ahead > EARLY) await sleep(ahead - EARLY)
      else await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

module.exports = Arrivals
