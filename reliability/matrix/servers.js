'use strict'

// A server for each version of HTTP. A request tells by a header to which
// exchange it belongs.

const http = require('node:http')
const http2 = require('node:http2')
const { once } = require('node:events')
const clients = require('./clients')
const { context } = require('./subjects')
const { owners } = require('./watched')

class Servers {
  #expected = new Map() // id -> { exchange, cell }
  #ids = 0
  #listener = (req, res) => this.#handle(req, res)
  #list = { 1: http.createServer(this.#listener), 2: http2.createServer(this.#listener) }
  #onUncaught = (error) => this.#blame(error)

  /** Cell -> those that ran when something was uncaught: one of them may be at fault. */
  bystanders = new Map()

  /** What was uncaught in no known context: `{ error, cells }`, with the cells that ran. */
  unclaimed = new Set()

  static async open () {
    const servers = new Servers()
    await servers.#listen()
    return servers
  }

  async #listen () {
    for (const server of Object.values(this.#list)) {
      server.prependListener('connection', () => context.enterWith({ exchange: null }))
      server.on('sessionError', () => {})
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    }
    process.on('uncaughtException', this.#onUncaught)
  }

  #handle (req, res) {
    const { exchange } = this.#expected.get(req.headers['x-id'])
    const holder = context.getStore()
    if (holder !== undefined) holder.exchange = exchange
    context.run({ exchange }, () => exchange.handle(req, res))
  }

  #blame (error) {
    const running = [...this.#expected.values()]
    const cells = running.map(({ cell }) => cell).filter((cell) => mayThrow(cell, error))
    const exchange = error?.exchange ?? owners.get(Object(error)) ?? context.getStore()?.exchange ??
      (running.length === 1 ? running[0].exchange : null)
    if (exchange === null) this.unclaimed.add({ error, cells }) // a tick has lost its context by now
    else exchange.uncaught.push(describe(error))
    const suspect = running.find((item) => item.exchange === exchange)
    if (error?.exchange === undefined && suspect !== undefined) this.bystanders.set(suspect.cell, cells)
  }

  /** @returns {object[]} the cells that ran when something was uncaught in no known context, so far */
  takeUnclaimed () {
    const cells = [...this.unclaimed].flatMap(({ cells }) => cells)
    this.unclaimed.clear()
    return cells
  }

  /** @param {unknown[]} errors that an exchange has got as well: those that were uncaught are its own */
  claim (exchange, errors) {
    for (const item of this.unclaimed) {
      if (!errors.includes(item.error)) continue
      this.unclaimed.delete(item)
      exchange.uncaught.push(describe(item.error))
    }
  }

  /**
   * Opens the client of an exchange.
   *
   * @param {{ type: string, coding: string | null, length: number | null, digest: string }} message `length`: null if
   *   it is chunked
   */
  async connect (exchange, cell, { type, coding, length, digest }) {
    const id = exchange.id = String(++this.#ids)
    this.#expected.set(id, { exchange, cell })
    const { port } = this.#list[cell.http].address()
    const headers = {
      'content-type': type,
      'content-digest': digest,
      'x-id': id,
      ...coding && { 'content-encoding': coding }
    }
    exchange.client = await clients[cell.http].open(port, () => exchange.check())
    exchange.begin = (piece) => exchange.client.begin(headers, length, piece)
  }

  forget ({ id }) {
    this.#expected.delete(id)
  }

  async close () {
    await Promise.all(Object.values(this.#list).map((server) => new Promise((resolve) => server.close(resolve))))
    process.off('uncaughtException', this.#onUncaught)
  }
}

const describe = (error) => error?.code ?? String(error)

/** Node's adapter of streams, which throws if its controller is closed, is used by the lanes of /web alone. */
function mayThrow ({ lane }, error) {
  return !String(error?.stack).includes('webstreams') || lane.includes(' web')
}

module.exports = Servers
