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
   * @param {{ connections: number, rate: number | null, keepGoing: boolean, seed: number }} settings
   */
  async open (letter, scenario, url, { connections, rate, keepGoing, seed }) {
    const settings = { url, connections, rate, keepGoing, seed, timeout: defaults.requestTimeout }
    await this.process.ask('open', { letter, scenario: scenario.name, ...settings }, defaults.settleTime)
  }

  /** Starts the load on a server. */
  async start (letter) {
    await this.process.ask('start', { letter }, defaults.settleTime)
  }

  /** Requests count from here ... */
  async begin (letter) {
    await this.process.ask('begin', { letter }, defaults.settleTime)
  }

  /** ... to here. */
  async end (letter) {
    await this.process.ask('end', { letter }, defaults.settleTime)
  }

  /**
   * Stops the load, once the last response has arrived.
   *
   * @param {string} letter
   * @returns {Promise<{ problem: string | null, counts: object | null }>} the
   *   first problem with a response; what tally.js counted
   */
  stop (letter) {
    return this.process.ask('stop', { letter }, 2 * defaults.requestTimeout * 1000 + defaults.settleTime)
  }

  /** Closes the connections. */
  async closeConnections (letter) {
    await this.process.ask('close', { letter }, defaults.settleTime)
  }

  close () {
    return this.process.close()
  }
}

module.exports = Driver
