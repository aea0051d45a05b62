'use strict'

const { setTimeout: sleep } = require('node:timers/promises')
const { createRandom } = require('../../tools/random')
const ClosedLoop = require('./closed-loop')

const EARLY = 2 // ms; a timer may be late by 1 ms, so the rest is waited for turn by turn

/**
 * An open loop: requests arrive at random (a Poisson process), whatever the
 * server does, as those of many independent users do. Latency counts from the
 * moment at which a request was due, so that a server that stands still cannot
 * hide the requests it holds up (coordinated omission).
 */
class OpenLoop extends ClosedLoop {
  /**
   * @param {ConstructorParameters<typeof ClosedLoop>[0]} scenario
   * @param {object} settings those of ClosedLoop; rate, requests/s on average; seed
   */
  constructor (scenario, { rate, seed = 1, ...settings }) {
    super(scenario, settings)
    this.random = createRandom(seed)
    this.interval = 1e9 / rate // ns
    this.queue = [] // requests that wait for a connection
    this.late = 0 // ns; by how much this process noticed the latest request of all too late
    this.arriving = Promise.resolve()
  }

  start () {
    this.isOpen = true
    this.arriving = this.arrive()
  }

  async arrive () {
    let next = process.hrtime.bigint() + this.gap()
    while (this.isOpen) {
      const now = process.hrtime.bigint()
      while (next <= now) {
        this.late = Math.max(this.late, Number(now - next))
        this.queue.push(this.request(next))
        next += this.gap()
      }
      this.feed()
      const ahead = Number(next - process.hrtime.bigint()) / 1e6
      if (ahead > EARLY) await sleep(ahead - EARLY)
      else await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** The time to the next arrival. */
  gap () {
    return BigInt(Math.round(-Math.log(1 - this.random()) * this.interval))
  }

  feed () {
    if (this.backlog === 0) return
    for (const send of this.take()) {
      send(this.queue.shift())
      if (this.backlog === 0) return
    }
  }

  get backlog () {
    return this.queue?.length ?? 0 // the constructor above connects
  }

  async stop () {
    this.isOpen = false
    await this.arriving
    const end = Date.now() + this.timeout * 1000
    while (this.backlog > 0 && Date.now() < end && (this.keepGoing || this.tally.problem === null)) await sleep(1)
    this.queue.length = 0 // a server that does not keep up is no error: the backlog tells
    await super.stop()
  }
}

module.exports = OpenLoop
