'use strict'

// One keep-alive connection of the mix.

const net = require('node:net')
const { once } = require('node:events')
const { setImmediate: turn } = require('node:timers/promises')

const DEADLINE = 30_000 // ms without an answer

let ids = 0

class Connection {
  /** @param {number} port of a server on the loopback interface */
  constructor (port) {
    this.port = port
    this.socket = null
    this.rest = Buffer.alloc(0)
    this.waiting = null
  }

  async open () {
    if (this.socket !== null) return
    const socket = net.connect(this.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.setNoDelay(true)
    socket.on('data', (bytes) => this.take(bytes))
    socket.on('error', () => {}) // 'close' follows
    socket.on('close', () => this.lose(socket))
    this.socket = socket
    this.rest = Buffer.alloc(0)
  }

  /**
   * Sends messages one behind the other, and checks the answers.
   *
   * @param {import('./traffic').Message[]} messages
   * @param {number} pieces in how many writes
   * @returns {Promise<string[]>} what was wrong
   */
  async exchange (messages, pieces) {
    await this.open()
    const wires = messages.map(wireOf)
    const answers = this.answers(wires.length)
    await this.write(Buffer.concat(wires.map(({ bytes }) => bytes)), pieces)
    const seen = await answers
    return messages.flatMap(({ expect }, index) => differences(expect, wires[index].id, seen[index]))
  }

  /** Sends a part of the message, and goes away. */
  async abort (message, part) {
    await this.open()
    const { bytes } = wireOf(message)
    await this.write(bytes.subarray(0, Math.floor(bytes.length * part)), 1)
    await turn()
    this.close()
  }

  close () {
    this.socket?.destroy()
    this.socket = null
  }

  async write (bytes, pieces) {
    const size = Math.ceil(bytes.length / pieces)
    for (let start = 0; start < bytes.length; start += size) {
      if (start > 0) await turn()
      this.socket?.write(bytes.subarray(start, start + size))
    }
  }

  answers (count) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(), DEADLINE)
      this.waiting = { count, seen: [], resolve, timer }
    })
  }

  take (bytes) {
    this.rest = Buffer.concat([this.rest, bytes])
    while (this.waiting !== null) {
      const answer = answerIn(this.rest)
      if (answer === null) return
      this.rest = this.rest.subarray(answer.length)
      this.waiting.seen.push(answer)
      if (this.waiting.seen.length === this.waiting.count) this.settle()
    }
  }

  lose (socket) {
    if (this.socket !== socket) return
    this.socket = null
    if (this.waiting !== null) this.settle()
  }

  settle () {
    const { seen, resolve, timer } = this.waiting
    this.waiting = null
    clearTimeout(timer)
    resolve(seen)
  }
}

/** A request with an id of its own. */
function wireOf ({ method, headers, body, chunked }) {
  const id = String(++ids)
  const framing = chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': body.length }
  const fields = Object.entries({ Host: 'soak', 'X-Id': id, ...headers, ...(method === 'GET' ? {} : framing) })
  const head = `${method} / HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return { id, bytes: Buffer.concat([Buffer.from(head), ...(chunked ? chunksOf(body) : [body])]) }
}

/** Two chunks and the last one. */
function chunksOf (body) {
  const half = body.length >> 1
  const chunks = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
  const framed = chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])
  return [...framed, Buffer.from('0\r\n\r\n')]
}

/** The first answer in these bytes; null if it is not all there. */
function answerIn (bytes) {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return null
  const head = bytes.latin1Slice(0, end + 2)
  const start = end + 4
  const length = start + Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0)
  if (bytes.length < length) return null
  return {
    length,
    status: Number(head.slice(9, 12)),
    id: /\r\nx-id: (.*)\r\n/i.exec(head)?.[1],
    text: bytes.toString('utf8', start, length)
  }
}

function differences (expect, id, answer) {
  if (answer === undefined) return [`no answer to ${id}, which should be ${expect.status}`]
  if (answer.id !== id) return [`request ${id} got the answer to ${answer.id}`]
  if (answer.status === expect.status && answer.text === expect.text) return []
  return [`${answer.status} ${answer.text.slice(0, 100)} instead of ${expect.status} ${expect.text.slice(0, 100)}`]
}

module.exports = { Connection, answerIn, differences, wireOf }
