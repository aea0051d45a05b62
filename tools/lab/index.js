'use strict'

// Servers under test and the process that loads them, each on a core of its own where the machine has two.

const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { chooseCores, pinTo } = require('./cores')
const { IpcProcess } = require('../ipc')
const UserError = require('../user-error')

const LOAD = path.join(__dirname, 'load.js')
const SERVER = path.join(__dirname, 'server.js')
const TIMEOUT = 60_000 // ms for an answer
const WARM = 25_000 // requests
const STEP = 0.1 // s of warming up at a time

class Lab {
  cores = chooseCores()
  servers = []
  driver = new IpcProcess('the load', pinTo([process.execPath, LOAD], this.cores?.driver), __dirname)

  /**
   * Starts a server; see server.js.
   *
   * @param {{ name: string, app: string, settings: object, node?: string, flags?: string[], cwd?: string,
   *   before?: string[] }} what path of the app, of Node.js and its flags; a command in front of it
   * @returns {Promise<TestServer>}
   */
  async start ({ name, app, settings, node = process.execPath, flags = [], cwd = __dirname, before = [] }) {
    const command = [...before, node, ...flags, SERVER, app, JSON.stringify(settings)]
    const child = new IpcProcess(name, pinTo(command, this.cores?.server), cwd)
    const server = new TestServer(this.servers.length, name, child, this.driver)
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

  /** @param {object} fields of a command for the process that sends the load */
  async tell (command, fields = {}) {
    const answered = this.driver.ask(command, { id: this.id, ...fields }, TIMEOUT)
    const { problem, ...answer } = await Promise.race([answered, this.process.died])
    if (problem === undefined) return answer
    await Promise.race([this.process.died, sleep(500)]) // a server that is dying is the better reason
    throw new UserError(`${this.name}: ${problem}`)
  }

  /**
   * Says what it is sent.
   *
   * @param {import('./closed-loop').Request[]} requests
   * @param {number} connections
   * @param {{ requests: object[], connections: number }} [beside] others, which are sent in a closed loop meanwhile,
   *   and are not measured
   */
  async connect (requests, connections, beside) {
    const { port } = this
    await this.tell('open', { port, requests: encode(requests), connections })
    if (beside === undefined) return
    this.beside = `${this.id} beside`
    await this.tell('open', { ...beside, id: this.beside, port, requests: encode(beside.requests) })
  }

  disconnect () {
    return this.tell('close')
  }

  /**
   * Sends load to it.
   *
   * @param {{ amount?: number, rate?: number, time?: number, seed?: number }} how `amount` of requests in a closed
   *   loop; or requests/s of an open one, for ms of time
   * @returns {Promise<object>} figures of the load (see tally.js), and of the server: us of CPU time per request
   *   (`cpu`), and of its main thread (`main`), requests/s (`rps`), share of a core (`utilisation`)
   */
  async load (how) {
    const before = await this.ask('usage')
    const figures = await this.tell('run', { beside: this.beside, ...how })
    const after = await this.ask('usage')
    const [cpu, main, requests] = ['cpu', 'main', 'requests'].map((key) => after[key] - before[key])
    const { elapsed } = figures
    const perRequest = { cpu: cpu / requests, main: main * 1000 / requests }
    return { ...figures, ...perRequest, rps: requests / elapsed, utilisation: cpu / elapsed / 1e6 }
  }

  /**
   * Loads it until it has used so much CPU time, as other programs may have the core meanwhile; and longer, up to three
   * times that, until it has served requests enough for V8 to compile what they run.
   *
   * @param {number} cpu ms
   * @param {number} [amount] of requests to begin with
   */
  async warmUp (cpu, amount = 256) {
    for (let used = 0, requests = 0; used < cpu || (requests < WARM && used < 3 * cpu); requests += amount) {
      const { cpu: cost, elapsed } = await this.load({ amount })
      used += cost * amount / 1000
      if (elapsed < STEP) amount *= 2
    }
  }
}

/** For IPC, which takes no bytes. */
const encode = (requests) => requests.map((request) => ({ ...request, body: request.body.toString('base64') }))

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
