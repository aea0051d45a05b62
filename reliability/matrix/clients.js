'use strict'

// Clients that send a body piece by piece, over HTTP/1.1 and HTTP/2.

const { once } = require('node:events')
const http2 = require('node:http2')
const net = require('node:net')
const { asChunk, LAST_CHUNK, messageOf, parseResponse } = require('../../tools/http-message')
const Talk = require('../../tools/talk')

const { NGHTTP2_CANCEL } = http2.constants
const RST_STREAM = 3 // RFC 9113, section 6.4

/** 'close' follows an error. */
const ignore = () => {}

class Client1 extends Talk {
  /** @param {number} port @param {() => void} notify is called when something has happened */
  static async open (port, notify) {
    return Object.assign(await super.open(port, { allowHalfOpen: true }), { check: notify })
  }

  /** Answered, or closed. */
  get isOver () {
    return this.ended || this.closed || this.response() !== null
  }

  response () {
    return parseResponse(this.rest)
  }

  /** Sends the header with the first piece, so that a body may begin in the call of the parser. */
  begin (headers, length, piece) {
    this.isChunked = length === null
    const { head, pieces } = messageOf({ headers, pieces: [piece], length, chunked: this.isChunked })
    this.write(Buffer.concat([Buffer.from(head), pieces[0]]))
  }

  more (piece) {
    this.write(this.isChunked ? asChunk(piece) : piece)
  }

  finish () {
    if (this.isChunked) this.write(LAST_CHUNK)
  }

  answer () {
    const response = this.response()
    return response === null ? 'none' : `${response.status} ${response.body}`
  }
}

class Client2 {
  stream = null
  isReset = false
  isOver = false
  answered = { status: null, text: '', isWhole: false }

  static async open (port, notify) {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true }).on('error', ignore)
    const session = http2.connect('http://localhost', { createConnection: () => socket }).on('error', ignore)
    await once(session, 'connect')
    return Object.assign(new Client2(), { session, socket, notify })
  }

  begin (headers, length, piece) {
    const { answered, session } = this
    if (session.destroyed) return
    const framing = length === null ? {} : { 'content-length': length }
    const stream = this.stream = session.request({ ':method': 'POST', ':path': '/', ...headers, ...framing },
      { endStream: false })
    const end = (isWhole) => {
      answered.isWhole ||= isWhole
      this.isOver = true
      this.notify()
    }
    stream.on('error', ignore)
    stream.on('response', (fields) => { answered.status = fields[':status'] })
    stream.on('data', (bytes) => { answered.text += bytes })
    stream.on('end', () => end(true)).on('close', () => end(false))
    this.more(piece)
  }

  more (piece) {
    if (this.stream.writable && !this.isReset) this.stream.write(piece)
  }

  finish () {
    if (this.stream.writable && !this.isReset) this.stream.end()
  }

  halfClose () {
    this.finish()
  }

  /** RST_STREAM alone: `close` of a client's stream may send its end before. */
  reset () {
    const frame = Buffer.from([0, 0, 4, RST_STREAM, 0, 0, 0, 0, 0, 0, 0, 0, NGHTTP2_CANCEL])
    frame.writeUInt32BE(this.stream.id, 5)
    this.isReset = true
    this.socket.write(frame)
  }

  close () {
    this.session.destroy()
  }

  answer () {
    const { isWhole, status, text } = this.answered
    return status === null || !isWhole ? 'none' : `${status} ${text}`
  }
}

module.exports = { 1: Client1, 2: Client2 }
