'use strict'

const path = require('node:path')
const { pinTo } = require('../../tools/cpu-affinity')
const IpcProcess = require('../../tools/ipc-process')
const defaults = require('../defaults')
const verifyPackages = require('./verify-packages')

/**
 * A server process of one target, for one scenario.
 */
class TargetServer {
  /**
   * @param {import('./install').Target} target
   * @param {import('../scenarios').Scenario} scenario
   * @param {{ core?: number, host?: string, port?: number, answer?: string, about?: object }} [settings]
   *   `about` is what it tells a driver on another machine; see remote-server.js
   */
  constructor (target, scenario, { core, host = defaults.host, port = 0, answer, about } = {}) {
    const { folder } = target.apps[scenario.app]
    const orders = { scenario: scenario.name, folder, host, port, answer, about }
    const command = [target.node.path, path.join(__dirname, 'server-process.js'), JSON.stringify(orders)]
    this.target = target
    this.scenario = scenario
    this.host = host
    this.url = null // until it is open
    this.name = `server of target ${target.letter}, ${scenario.name}`
    this.process = new IpcProcess(this.name, pinTo(command, core), folder)
    this.died = this.process.died
  }

  /** @returns {Promise<string>} its URL */
  async open () {
    const { port } = await this.process.ready(defaults.settleTime)
    this.url = `http://${this.host.includes(':') ? `[${this.host}]` : this.host}:${port}`
    return this.url
  }

  /** Starts the meter. */
  async start () {
    await this.process.ask('start', {}, defaults.settleTime)
  }

  /** @returns {Promise<{ requests: number, cpu: number }[]>} what it measured since then, window by window */
  async windows () {
    return (await this.process.ask('windows', {}, defaults.settleTime)).windows
  }

  /** @returns {Promise<object>} all that it measured since then; see meter.js */
  async stop () {
    return (await this.process.ask('stop', {}, defaults.settleTime)).meter
  }

  /**
   * The packages loaded so far: some are loaded by the first request that needs
   * them.
   *
   * @returns {Promise<object[]>}
   */
  async packages () {
    const { loaded } = await this.process.ask('report', {}, defaults.settleTime)
    verifyPackages(this.target, this.scenario.app, loaded, this.scenario.name)
    return loaded.packages
  }

  close () {
    return this.process.close()
  }
}

module.exports = TargetServer
