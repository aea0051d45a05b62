'use strict'

const path = require('node:path')
const { chooseCores, pinTo } = require('../../tools/cpu-affinity')
const { serializeHead } = require('../../tools/http-message')
const IpcProcess = require('../../tools/ipc-process')
const { shuffle } = require('../../tools/random')
const UserError = require('../../tools/user-error')

const TIMEOUT = 60_000 // ms for an answer of a process

/**
 * Some servers, each in a process of its own, and the process that loads them
 * in turn. Where the machine can pin processes, the load has a core of its own.
 */
class Session {
  constructor () {
    this.cores = chooseCores()
    this.load = this.start('the load', process.execPath, 'load-process.js', this.cores?.driver)
    this.servers = []
  }

  start (name, node, file, core, ...args) {
    return new IpcProcess(name, pinTo([node, path.join(__dirname, file), ...args], core), __dirname)
  }

  /**
   * Opens a server, and checks its first response.
   *
   * @param {{ name: string, app: object, message: Buffer, expected: { status: number, body: string } }} target
   *   `app`: what server-process.js serves; `message`: the whole request
   * @param {{ node: string, connections: number }} settings path of the Node that runs it
   */
  async open ({ name, app, message, expected }, { node, connections }) {
    const process = this.start(`the server "${name}"`, node, 'server-process.js', this.cores?.server, JSON.stringify(app))
    const server = { id: this.servers.length, name, process }
    this.servers.push(server)
    const { port, host } = await process.ready(TIMEOUT)
    await this.load.ask('open', { id: server.id, port, host, message: message.toString('base64'), expected, connections }, TIMEOUT)
    await this.burst(server, 1)
    const { wrong } = await process.ask('last', {}, TIMEOUT)
    if (wrong !== null) throw new UserError(`${name}: ${wrong}`)
    return server
  }

  /** One request on each of so many connections, by default on each one, all at a time. */
  burst ({ id }, connections) {
    return this.load.ask('burst', { id, connections }, TIMEOUT)
  }

  /** @returns {Promise<{ requests: number, cpu: number, rss: number, peak: number }>} so far: us, bytes */
  usage ({ process }) {
    return process.ask('usage', {}, TIMEOUT)
  }

  /**
   * Loads one server for a while.
   *
   * @param {object} server
   * @param {{ rate: number | null, lead: number, time: number }} settings requests/s
   *   of an open loop, null for a closed one; ms of load before the measured ones
   * @returns {Promise<{ cpu: number, rate: number, p50: number, p99: number }>} us of
   *   CPU time per request, requests/s, ms
   */
  async turn (server, { rate, lead, time }) {
    const { id } = server
    await this.load.ask('start', { id, rate }, TIMEOUT)
    await sleep(lead)
    await this.load.ask('begin', { id }, TIMEOUT)
    const before = await this.usage(server)
    const began = performance.now()
    await sleep(time)
    const after = await this.usage(server)
    const elapsed = performance.now() - began
    const { p50, p99 } = await this.load.ask('end', { id }, TIMEOUT)
    await this.load.ask('stop', { id }, TIMEOUT)
    const requests = after.requests - before.requests
    return { cpu: (after.cpu - before.cpu) / requests, rate: requests / elapsed * 1000, p50: p50 / 1e6, p99: p99 / 1e6 }
  }

  /** @param {number} time ms of load on each server */
  async warm (time) {
    for (const server of this.servers) await this.turn(server, { rate: null, lead: 0, time })
  }

  /**
   * Loads all servers in turn.
   *
   * @param {{ rounds: number, rate: number | null, lead: number, time: number }} settings see `turn`
   * @returns {Promise<Record<string, object[]>>} what `turn` measured, by the names of the servers
   */
  async measure ({ rounds, ...settings }) {
    const turns = Object.fromEntries(this.servers.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      // In another order each time, so that no server always follows the same one.
      for (const server of shuffle([...this.servers], Math.random)) turns[server.name].push(await this.turn(server, settings))
    }
    return turns
  }

  async close () {
    await Promise.all([this.load, ...this.servers.map(({ process }) => process)].map((one) => one.close()))
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {import('../rows/row').Work} work @returns {Buffer} its whole request */
function messageOf ({ method, headers, chunks }) {
  return Buffer.concat([serializeHead({ method }, headers), ...chunks])
}

/** @template T @param {(session: Session) => Promise<T>} use @returns {Promise<T>} */
async function withSession (use) {
  const session = new Session()
  try {
    return await use(session)
  } finally {
    await session.close()
  }
}

module.exports = { messageOf, withSession }
