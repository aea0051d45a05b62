'use strict'

const path = require('node:path')
const Channel = require('./channel')
const defaults = require('./defaults')
const Failure = require('./failure')
const { pinned } = require('./pinning')

/**
 * The driver process, from outside. One serves a whole run, so that both sides
 * meet the same one.
 */
class Driver {
  /** @param {number} [core] */
  constructor (core) {
    const command = pinned([process.execPath, path.join(__dirname, 'driver.js')], core)
    this.channel = new Channel('driver', command, __dirname)
  }

  /** Sends every request once and holds the whole body that comes back against it. */
  async check (scenario, url, answer) {
    const orders = { type: 'check', scenario: scenario.name, url, answer }
    await this.channel.ask(orders, 'checked', defaults.settleTime)
  }

  /**
   * @param {import('./scenario').Scenario} scenario
   * @param {string} url
   * @param {number} duration s
   * @param {{ connections: number, rate: number | null }} settings
   * @returns {Promise<object>} see drivers/tally.js
   */
  async run (scenario, url, duration, { connections, rate }) {
    const orders = { type: 'run', scenario: scenario.name, url, duration, connections, rate, timeout: defaults.requestTimeout }
    const timeout = duration * 1000 + defaults.requestTimeout * 1000 + defaults.settleTime
    const { load } = await this.channel.ask(orders, 'ran', timeout)
    if (load.problem !== null) throw new Failure(load.problem)
    if (load.responses === 0) throw new Failure('no response at all')
    return load
  }

  close () {
    return this.channel.close()
  }
}

module.exports = Driver
