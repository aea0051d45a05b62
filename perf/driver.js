'use strict'

const path = require('node:path')
const Channel = require('./channel')
const defaults = require('./defaults')
const { pinned } = require('./pinning')

/**
 * The driver process, from outside. One serves a whole run, so that both sides
 * meet the same one.
 */
class Driver {
  /** @param {number} [core] */
  constructor (core) {
    const command = pinned([process.execPath, path.join(__dirname, 'driver-process.js')], core)
    this.channel = new Channel('driver', command, __dirname)
  }

  /**
   * Sends every request once and holds the whole body that comes back against it.
   *
   * @returns {Promise<{ problem: string | null, lacks: string | null }>} see drivers/check.js
   */
  check (scenario, url, answer) {
    const order = { type: 'check', scenario: scenario.name, url, answer }
    return this.channel.ask(order, 'checked', defaults.settleTime)
  }

  /**
   * Opens the connections to a server.
   *
   * @param {string} letter of its side
   * @param {import('./scenario').Scenario} scenario
   * @param {string} url
   * @param {{ connections: number, rate: number | null }} settings
   */
  async open (letter, scenario, url, { connections, rate }) {
    const order = { type: 'open', letter, scenario: scenario.name, url, connections, rate, timeout: defaults.requestTimeout }
    await this.channel.ask(order, 'opened', defaults.settleTime)
  }

  /**
   * Loads a server for one slice.
   *
   * @param {string} letter
   * @param {number} duration s
   * @param {boolean} [afresh=false] forget what was counted before
   * @returns {Promise<string | null>} what is wrong with a response, if any is
   */
  async go (letter, duration, afresh = false) {
    const timeout = duration * 1000 + defaults.requestTimeout * 1000 + defaults.settleTime
    const { problem } = await this.channel.ask({ type: 'go', letter, duration, afresh }, 'went', timeout)
    return problem
  }

  /** @returns {Promise<object>} what was counted; see drivers/tally.js */
  async finish (letter) {
    const { load } = await this.channel.ask({ type: 'close', letter }, 'closed', defaults.settleTime)
    return load
  }

  close () {
    return this.channel.close()
  }
}

module.exports = Driver
