'use strict'

const { once } = require('node:events')
const net = require('node:net')
const { parseResponse } = require('./http-message')

/**
 * A TCP connection to a server on the loopback interface: bytes go out as they
 * are, responses come back parsed.
 */
class RawConnection {
  /**
   * @param {number} port
   * @param {() => void} [onChange] called when bytes have arrived, or an end
   * @param {import('node:net').SocketConstructorOpts} [options]
   * @returns {Promise<RawConnection>}
   */
  static async open (port, onChange = () => {}, options = {}) {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, ...options })
    await once(socket, 'connect')
    return new RawConnection(socket, onChange)
  }

  constructor (socket, onChange) {
    this.socket = socket
    this.ended = false // by the server
    this.closed = false
    this.rest = Buffer.alloc(0) // bytes that no response was read from yet
    this.waiting = null
    socket.on('data', (bytes) => {
      this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes])
      this.advance()
      onChange()
    })
    socket.on('error', () => {}) // 'close' follows
    socket.on('end', () => {
      this.ended = true
      onChange()
    })
    socket.on('close', () => {
      this.closed = true
      if (this.waiting !== null) this.settle()
      onChange()
    })
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
   * @param {number} count of responses
   * @param {number} timeout ms
   * @returns {Promise<import('./http-message').Response[]>} fewer if the connection is closed
   *   (`closed` is true then) or the time is over
   */
  responses (count, timeout) {
    return new Promise((resolve) => {
      this.waiting = { count, responses: [], resolve, timer: setTimeout(() => this.settle(), timeout) }
      this.advance()
      if (this.closed && this.waiting !== null) this.settle()
    })
  }

  advance () {
    while (this.waiting !== null) {
      const response = parseResponse(this.rest)
      if (response === null) return
      this.rest = this.rest.subarray(response.length)
      if (this.waiting.responses.push(response) === this.waiting.count) this.settle()
    }
  }

  settle () {
    const { responses, resolve, timer } = this.waiting
    this.waiting = null
    clearTimeout(timer)
    resolve(responses)
  }

  close () {
    this.socket.destroy()
  }
}

module.exports = RawConnection
