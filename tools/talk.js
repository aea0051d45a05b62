'use strict'

// What a client and a server say on one connection.

const { once } = require('node:events')
const net = require('node:net')
const { setImmediate: turn } = require('node:timers/promises')
const { parseResponse } = require('./http-message')
const { Conditions } = require('./waiting')

const ANSWER = /HTTP\/1\.1 [2-5]\d\d /g // not 100 Continue
const PROBE = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n'
const MOST_TURNS = 1000 // of the event loop, for a server that does not read

/**
 * The client's end of a TCP connection to a server on the loopback interface: sends exact bytes in pieces, with pauses
 * between, and watches what comes back. Of a server in this process it has the server's end, too. `until` waits for
 * conditions, which it checks whenever something has happened on the connection.
 */
class Talk extends Conditions {
  /**
   * @param {number | import('./local-server')} server a port, or a server in this process
   * @param {import('node:net').SocketConstructorOpts} [options]
   * @returns {Promise<Talk>}
   */
  static async open (server, options) {
    const socket = net.connect({ port: server.port ?? server, host: '127.0.0.1', noDelay: true, ...options })
    await once(socket, 'connect')
    const talk = new this(socket)
    if (typeof server !== 'number') await server.accept(talk)
    return talk
  }

  constructor (socket) {
    super()
    this.socket = socket
    this.peer = null // the server's end, if it is in this process
    this.ended = false // by the server
    this.closed = false
    this.rest = Buffer.alloc(0) // bytes that no response was read from yet
    socket.on('data', (bytes) => {
      this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes])
      this.check()
    })
    socket.on('error', () => {}) // 'close' follows
    for (const [event, field] of [['end', 'ended'], ['close', 'closed']]) {
      socket.on(event, () => {
        this[field] = true
        this.check()
      })
    }
  }

  /** @returns {Promise<void> | undefined} pending until more can be written, or the connection is closed */
  write (bytes) {
    const { socket } = this
    if (!socket.writable || socket.write(bytes)) return
    return new Promise((resolve) => {
      function proceed () {
        socket.off('drain', proceed).off('close', proceed)
        resolve()
      }
      socket.on('drain', proceed).on('close', proceed)
    })
  }

  /**
   * Sends a message, the head with the first piece, and then cuts the connection if it says so.
   *
   * @param {{ head?: string | Buffer, pieces: Buffer[], cut?: boolean }} message see messageOf of http-message.js
   * @param {(written: Promise<void> | undefined) => unknown} [pause] what to wait for between two pieces; by
   *   default until the server, in this process, has read what was written, and for a turn
   */
  async send ({ head = '', pieces: [first = '', ...pieces], cut = false }, pause = () => this.delivered().then(turn)) {
    let written = this.write(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(first)]))
    for (const piece of pieces) {
      await pause(written)
      written = this.write(piece)
    }
    if (!cut) return
    await this.delivered()
    this.close()
  }

  /** Waits until the server, in this process, has read what was written, if it reads at all. */
  delivered () {
    return untilRead(this.peer, this.socket)
  }

  /** All that came, if no response was read from it. */
  get text () {
    return this.rest.latin1Slice()
  }

  /** How many responses have begun, if none was read. */
  get answers () {
    return this.text.match(ANSWER)?.length ?? 0
  }

  /**
   * Reads responses, of a declared length.
   *
   * @param {number} count
   * @param {number} timeout ms
   * @returns {Promise<ReturnType<import('./http-message').parseResponse>[]>} fewer if the connection is closed (then
   *   `closed` is true) or the time is over
   */
  async responses (count, timeout) {
    const responses = []
    const isEnough = () => {
      for (let response; responses.length < count && (response = parseResponse(this.rest)) !== null;) {
        this.rest = this.rest.subarray(response.length)
        responses.push(response)
      }
      return responses.length === count || this.closed
    }
    await this.until(isEnough, timeout)
    return responses
  }

  /**
   * Sends another request, to see whether the connection is still usable.
   *
   * @param {number} others how many responses come before
   * @param {number} timeout ms
   * @returns {Promise<boolean>} whether it was answered
   */
  async probe (others, timeout) {
    this.write(PROBE)
    await this.until(() => this.closed || this.answers > others, timeout)
    return this.answers > others
  }

  close () {
    this.socket.destroy()
  }

  halfClose () {
    this.socket.end()
  }

  reset () {
    this.socket.resetAndDestroy()
  }
}

/** @param {net.Socket} peer the server's end of a connection @param {net.Socket} socket the client's */
async function untilRead (peer, socket) {
  const isBehind = () => peer.bytesRead < socket.bytesWritten && !peer.destroyed
  for (let turns = 0; turns < MOST_TURNS && isBehind(); turns++) await turn()
}

module.exports = Talk
module.exports.untilRead = untilRead
