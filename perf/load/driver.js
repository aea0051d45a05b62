'use strict'

const path = require('node:path')
const { pinTo } = require('../../tools/cpu-affinity')
const IpcProcess = require('../../tools/ipc-process')
const defaults = require('../defaults')

/**
 * The process that sends the load, seen from outside. One serves a whole run,
 * so that both targets get their load from the same process.
 */
class Driver {
  /** @param {number} [core] */
  constructor (core) {
    const command = [process.execPath, path.join(__dirname, 'driver-process.js')]
    this.process = new IpcProcess('driver', pinTo(command, core), __dirname)
  }

  /**
   * Sends every request once and compares the whole body of the response.
   *
   * @returns {Promise<{ problem: string | null, lacks: string | null }>} see check.js
   */
  check (scenario, url, answer) {
    return this.process.ask('check', { scenario: scenario.name, url, answer }, defaults.settleTime)
  }

  /**
   * Opens the connections to a server.
   *
   * @param {string} letter of its target
   * @param {import('../scenarios').Scenario} scenario
   * @param {string} url
   * @param {{ connections: number, rate: number | null, keepGoing: boolean }} settings
   */
  async open (letter, scenario, url, { connections, rate, keepGoing }) {
    const settings = { url, connections, rate, keepGoing, timeout: defaults.requestTimeout }
    await this.process.ask('open', { letter, scenario: scenario.name, ...settings }, defaults.settleTime)
  }

  /**
   * Loads a server for one slice.
   *
   * @param {string} letter
   * @param {number} duration s
   * @param {boolean} [afresh=false] forget what was counted before
   * @returns {Promise<string | null>} the first problem with a response
   */
  async go (letter, duration, afresh = false) {
    const timeout = duration * 1000 + defaults.requestTimeout * 1000 + defaults.settleTime
    const { problem } = await this.process.ask('go', { letter, duration, afresh }, timeout)
    return problem
  }

  /** @returns {Promise<object>} the counts of tally.js */
  async finish (letter) {
    const { load } = await this.process.ask('finish', { letter }, defaults.settleTime)
    return load
  }

  close () {
    return this.process.close()
  }
}

module.exports = Driver
