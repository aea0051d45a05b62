'use strict'

// Sends requests byte for byte as an attack wants them, and reads the answers'
// `x-outcome`.

const net = require('node:net')
const { once } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')

const DEADLINE = 60_000 // ms without an answer
const BATCH = 16 // pipelined requests that are written at a time

/**
 * @typedef {object} Message
 * @property {Record<string, string>} [headers]
 * @property {Buffer[]} [pieces] of the body, each written on its own
 * @property {number} [chunk] bytes in a chunk: sends the body in chunked transfer coding
 * @property {number} [pause] ms between two pieces
 * @property {boolean} [endless] sends the last piece again and again, until the connection is closed
 */

/**
 * Opens the connections, then has each send its message.
 *
 * @param {number} port
 * @param {(index: number) => Message} messageOf
 * @param {number} crowd connections at a time
 * @returns {Promise<{ outcomes: string[], wall: number }>} `wall` in ms, from
 *   the first byte of a request to the last answer
 */
async function volley (port, messageOf, crowd) {
  const wire = remember(wireOf)
  const wires = Array.from({ length: crowd }, (_, index) => wire(messageOf(index)))
  const sockets = await Promise.all(wires.map(() => connect(port)))
  const start = performance.now()
  const outcomes = await Promise.all(sockets.map((socket, index) => exchange(socket, wires[index])))
  const wall = performance.now() - start
  for (const socket of sockets) socket.destroy()
  return { outcomes, wall }
}

/** The same message is put together once. */
function remember (make) {
  const known = new Map()
  return (message) => {
    if (!known.has(message)) known.set(message, make(message))
    return known.get(message)
  }
}

async function connect (port) {
  const socket = net.connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  await once(socket, 'connect')
  return socket
}

/** The bytes of a message, ready to be written. */
function wireOf ({ headers, pieces = [], chunk, pause, endless = false }) {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const head = headOf({ ...headers, ...(chunk ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': length }) })
  if (!chunk) return { head, pieces, pause, endless }
  const framed = remember((piece) => frame(piece, chunk))
  return { head, pieces: [...pieces.map(framed), Buffer.from('0\r\n\r\n')].slice(0, endless ? -1 : undefined), pause, endless }
}

function headOf (headers) {
  const lines = Object.entries({ Host: 'hostile', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST / HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
}

/** In chunks of so many bytes (RFC 9112, section 7.1). */
function frame (bytes, size) {
  const parts = []
  for (let start = 0; start < bytes.length; start += size) {
    const part = bytes.toString('latin1', start, start + size)
    parts.push(`${part.length.toString(16)}\r\n${part}\r\n`)
  }
  return Buffer.from(parts.join(''), 'latin1')
}

/** @returns {Promise<string>} outcome */
async function exchange (socket, { head, pieces, pause, endless }) {
  const outcome = answerOf(socket)
  await write(socket, pieces.length > 0 && pause === undefined ? Buffer.concat([head, pieces[0]]) : head)
  for (const piece of pause === undefined ? pieces.slice(1) : pieces) {
    if (pause !== undefined) await delay(pause)
    await write(socket, piece)
  }
  if (endless) await writeForEver(socket, pieces.at(-1), pause)
  return outcome
}

function answerOf (socket) {
  return new Promise((resolve) => {
    let text = ''
    const timer = setTimeout(resolve, DEADLINE, 'no answer')
    const settle = (outcome) => {
      clearTimeout(timer)
      resolve(outcome)
    }
    socket.on('data', (bytes) => {
      text += bytes.latin1Slice()
      if (text.includes('\r\n\r\n')) settle(/x-outcome: (.*)\r\n/.exec(text)?.[1] ?? text.slice(9, 12))
    })
    socket.on('error', () => {}) // 'close' follows
    socket.on('close', () => settle('closed'))
  })
}

async function writeForEver (socket, bytes, pause) {
  while (socket.writable) {
    await delay(pause)
    await write(socket, bytes)
  }
}

/** @returns {Promise<void> | undefined} until more can be written, or nothing any more */
function write (socket, bytes) {
  if (!socket.writable || socket.write(bytes)) return
  return new Promise((resolve) => {
    function proceed () {
      socket.removeListener('drain', proceed)
      socket.removeListener('close', proceed)
      resolve()
    }
    socket.on('drain', proceed)
    socket.on('close', proceed)
  })
}

/**
 * Sends small requests, many to a connection: so many at a time, and the next
 * ones once these are answered.
 *
 * @param {number} port
 * @param {(index: number) => Message} messageOf
 * @param {number} crowd connections
 * @param {number} each requests on each connection
 * @param {number} first index of the first one
 * @returns {Promise<{ outcomes: string[], wall: number }>} like `volley`
 */
async function pipeline (port, messageOf, crowd, each, first) {
  const sockets = await Promise.all(Array.from({ length: crowd }, () => connect(port)))
  const start = performance.now()
  const answers = await Promise.all(sockets.map((socket, index) => stream(socket, messageOf, first + index * each, each)))
  const wall = performance.now() - start
  for (const socket of sockets) socket.destroy()
  return { outcomes: answers.flat(), wall }
}

function stream (socket, messageOf, first, count) {
  return new Promise((resolve) => {
    const outcomes = []
    let sent = 0
    let rest = ''

    function send () {
      const batch = []
      for (const end = Math.min(sent + BATCH, count); sent < end; sent++) {
        const { head, pieces } = wireOf(messageOf(first + sent))
        batch.push(head, ...pieces)
      }
      socket.write(Buffer.concat(batch))
    }

    socket.on('data', (bytes) => {
      const answers = (rest + bytes.latin1Slice()).split('\r\n\r\n')
      rest = answers.pop()
      for (const answer of answers) outcomes.push(/x-outcome: (.*)/.exec(answer)?.[1] ?? answer.slice(9, 12))
      if (outcomes.length === count) resolve(outcomes)
      else if (outcomes.length === sent) send()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve([...outcomes, 'closed']))
    send()
  })
}

module.exports = { pipeline, volley, wireOf }
