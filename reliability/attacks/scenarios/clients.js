'use strict'

// Clients that send the same request again and again, in a process of their own.

const { answerOrders, sayReady } = require('../../../tools/ipc-worker')
const RawConnection = require('../../../tools/raw-connection')
const { HOSTILE, post } = require('./bodies')

const TIMEOUT = 60_000 // ms without a response

const { kind } = JSON.parse(process.argv[2])
const request = post(HOSTILE[kind]())
let load // of the clients that run now

class Load {
  constructor (port, count) {
    this.isOver = false
    this.over = new Promise((resolve) => { this.stop = resolve })
    this.clients = Array.from({ length: count }, () => this.client(port))
  }

  async client (port) {
    const connection = await RawConnection.open(port)
    while (!this.isOver && !connection.closed) {
      const responses = connection.responses(1, TIMEOUT)
      await connection.write(request)
      await Promise.race([responses, this.over])
    }
    connection.close()
  }

  end () {
    this.isOver = true
    this.stop()
    return Promise.all(this.clients)
  }
}

answerOrders({
  begin ({ port, count }) { load = new Load(port, count) },
  async end () { await load.end() }
})
sayReady()
