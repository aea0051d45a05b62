'use strict'

// Servers under test and the process that loads them, each on a core of its own where the machine has two.

const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { chooseCores, pinTo } = require('./cpu-affinity')
const IpcProcess = require('./ipc-process')
const UserError = require('./user-error')

const TIMEOUT = 60_000 // ms for an answer
const WARM = 10_000 // requests

class Lab {
  cores = chooseCores()
  servers = []
  driver = new IpcProcess('the load', pinTo([process.execPath, path.join(__dirname, 'load-process.js')], this.cores?.driver), __dirname)

  /**
   * Starts a server; see server-process.js.
   *
   * @param {{ name: string, app: string, settings: object, node?: string, flags?: string[], cwd?: string, before?: string[] }} what
   *   path of the app, of Node.js and its flags; a command in front of it
   * @returns {Promise<TestServer>}
   */
  async start ({ name, app, settings, node = process.execPath, flags = [], cwd = __dirname, before = [] }) {
    const command = [...before, node, ...flags, path.join(__dirname, 'server-process.js'), app, JSON.stringify(settings)]
    const server = new TestServer(this.servers.length, name, new IpcProcess(name, pinTo(command, this.cores?.server), cwd), this.driver)
    this.servers.push(server)
    server.port = (await server.process.ready(TIMEOUT)).port
    return server
  }

  /** Ends the servers, but not the process that loads them. */
  async stopServers () {
    await Promise.all(this.servers.splice(0).map((server) => server.process.close()))
  }

  async close () {
    await Promise.all([this.stopServers(), this.driver.close()])
  }
}

class TestServer {
  constructor (id, name, process, driver) {
    Object.assign(this, { id, name, process, driver })
  }

  /** @returns {Promise<any>} what the server answers to a command */
  ask (command, fields = {}) {
    return this.process.ask(command, fields, TIMEOUT)
  }

  async tell (command, fields = {}, id = this.id) {
    const { problem, ...answer } = await Promise.race([this.driver.ask(command, { id, ...fields }, TIMEOUT), this.process.died])
    if (problem === undefined) return answer
    await Promise.race([this.process.died, sleep(500)]) // a server that is dying is the better reason
    throw new UserError(`${this.name}: ${problem}`)
  }

  /**
   * Opens connections to it.
   *
   * @param {import('./load').LoadRequest[]} requests
   * @param {number} connections
   * @param {{ requests: import('./load').LoadRequest[], connections: number } | null} [beside] other requests, which are
   *   sent in a closed loop meanwhile, and are not measured
   */
  async connect (requests, connections, beside = null) {
    const encode = (list) => list.map(({ message, expected }) => ({ message: message.toString('base64'), expected }))
    await this.tell('open', { port: this.port, requests: encode(requests), connections })
    this.beside = beside === null ? null : `${this.id} beside`
    if (beside !== null) await this.tell('open', { port: this.port, requests: encode(beside.requests), connections: beside.connections }, this.beside)
  }

  async disconnect () {
    await this.tell('close')
    if (this.beside !== null) await this.tell('close', {}, this.beside)
  }

  /** Sends one request on each of this many connections (by default on all), all at a time. */
  burst (connections) {
    return this.tell('burst', { connections })
  }

  /**
   * Sends load to it for a while.
   *
   * @param {{ rate?: number | null, seed?: number, lead?: number, time: number }} settings requests/s of an open loop, null
   *   for a closed one; ms of load before those that are measured, ms of them
   * @returns {Promise<object>} figures of the load (see load.js), and of the server: us of CPU time per request (`cpu`),
   *   responses/s (`rps`), share of a core (`utilisation`)
   */
  async load ({ rate = null, seed, lead = 0, time }) {
    if (this.beside !== null) await this.tell('start', {}, this.beside)
    await this.tell('start', { rate, seed })
    if (lead > 0) await sleep(lead)
    const before = await this.ask('usage')
    await this.tell('begin')
    await sleep(time)
    const after = await this.ask('usage')
    await this.tell('end')
    const counted = await this.tell('stop')
    if (this.beside !== null) await this.tell('stop', {}, this.beside)
    const requests = after.requests - before.requests
    if (requests === 0) throw new Error(`${this.name}: no request within ${time} ms`)
    const [cpu, elapsed] = [after.cpu - before.cpu, after.time - before.time]
    return { ...counted, cpu: cpu / requests, rps: requests / elapsed * 1000, utilisation: cpu / elapsed / 1000 }
  }

  /**
   * Loads it until it has used so much CPU time, as other programs may have the core meanwhile; and longer, up to three
   * times that, until it has served requests enough for V8 to compile what they run.
   *
   * @param {number} cpu ms
   */
  async warmUp (cpu) {
    const before = await this.ask('usage')
    const end = performance.now() + 30 * cpu
    await this.tell('start', { rate: null })
    for (let used = 0, requests = 0; used < cpu || (requests < WARM && used < 3 * cpu);) {
      await sleep(50)
      const now = await this.ask('usage')
      used = (now.cpu - before.cpu) / 1000
      requests = now.requests - before.requests
      if (performance.now() > end) break
    }
    await this.tell('stop')
  }
}

/** @template T @param {(lab: Lab) => Promise<T>} use @returns {Promise<T>} */
async function withLab (use) {
  const lab = new Lab()
  try {
    await lab.driver.ready(TIMEOUT)
    return await use(lab)
  } finally {
    await lab.close()
  }
}

module.exports = { withLab }
