'use strict'

const { setTimeout: sleep } = require('node:timers/promises')
const Arrivals = require('../../tools/arrivals')
const { createRandom } = require('../../tools/random')
const ClosedLoop = require('./closed-loop')

/**
 * An open loop: requests arrive at random, whatever the server does. Latency
 * counts from the moment at which a request was due, so that a server that
 * stands still cannot hide the requests it holds up (coordinated omission).
 */
class OpenLoop extends ClosedLoop {
  /**
   * @param {ConstructorParameters<typeof ClosedLoop>[0]} scenario
   * @param {object} settings those of ClosedLoop; rate, requests/s on average; seed
   */
  constructor (scenario, { rate, seed = 1, ...settings }) {
    super(scenario, settings)
    this.arrivals = new Arrivals(rate, createRandom(seed))
    this.queue = [] // requests that wait for a connection
    this.late = 0 // ns; by how much this process noticed the latest request of all too late
    this.arriving = Promise.resolve()
  }

  start () {
    this.isOpen = true
    this.arriving = this.arrivals.run({
      isOpen: () => this.isOpen,
      arrive: (due, now) => {
        this.late = Math.max(this.late, Number(now - due))
        this.queue.push(this.request(due))
      },
      send: () => this.feed()
    })
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
