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
  #expected = new Map() // id -> exchange
  #ids = 0
  #listener = (req, res) => this.#handle(req, res)
  #list = { 1: http.createServer(this.#listener), 2: http2.createServer(this.#listener) }
  #onUncaught = (error) => this.#blame(error)

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
    const exchange = this.#expected.get(req.headers['x-id'])
    const holder = context.getStore()
    if (holder !== undefined) holder.exchange = exchange
    context.run({ exchange }, () => exchange.handle(req, res))
  }

  #blame (error) {
    const exchange = error?.exchange ?? owners.get(Object(error)) ?? context.getStore()?.exchange
    const blamed = exchange ? [exchange] : this.#expected.values() // a tick has lost its context by now
    for (const { uncaught } of blamed) uncaught.push(error?.code ?? String(error))
  }

  /** Opens the client of an exchange. `length` is null if the message is chunked. */
  async connect (exchange, cell, { type, coding, length, digest }) {
    const id = exchange.id = String(++this.#ids)
    this.#expected.set(id, exchange)
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

module.exports = Servers
