'use strict'

const path = require('node:path')
const Channel = require('./channel')
const defaults = require('./defaults')
const { pinned } = require('./pinning')
const { checkLoaded } = require('./provenance')

/**
 * A server process of one side, for one scenario.
 */
class Target {
  /**
   * @param {import('./sides').Side} side
   * @param {import('./scenario').Scenario} scenario
   * @param {{ core?: number, host?: string, port?: number, answer?: string, about?: object }} [settings]
   *   `about` is what it tells a driver elsewhere; see remote.js
   */
  constructor (side, scenario, { core, host = defaults.host, port = 0, answer, about } = {}) {
    const { folder } = side.apps[scenario.app]
    const orders = { scenario: scenario.name, folder, host, port, answer, about }
    const command = [side.node.path, path.join(__dirname, 'server-process.js'), JSON.stringify(orders)]
    this.side = side
    this.scenario = scenario
    this.host = host
    this.url = null // until it is open
    this.name = `server of side ${side.letter}, ${scenario.name}`
    this.channel = new Channel(this.name, pinned(command, core), folder)
    this.died = this.channel.died
  }

  /** @returns {Promise<string>} its URL */
  async open () {
    const { port } = await this.channel.ask(null, 'ready', defaults.settleTime)
    this.url = `http://${this.host.includes(':') ? `[${this.host}]` : this.host}:${port}`
    return this.url
  }

  /** Starts the meter. */
  async start () {
    await this.channel.ask({ type: 'start' }, 'started', defaults.settleTime)
  }

  /** Stops it, until the next start. */
  async stop () {
    await this.channel.ask({ type: 'stop' }, 'stopped', defaults.settleTime)
  }

  /**
   * What the meter says, and what was loaded up to now: some packages come in
   * with the first request that needs them.
   *
   * @returns {Promise<{ meter: object, packages: object[] }>}
   */
  async report () {
    const { meter, loaded } = await this.channel.ask({ type: 'report' }, 'report', defaults.settleTime)
    checkLoaded(this.side, this.scenario.app, loaded, this.scenario.name)
    return { meter, packages: loaded.packages }
  }

  close () {
    return this.channel.close()
  }
}

module.exports = Target
