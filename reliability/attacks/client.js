'use strict'

// Sends requests byte for byte as an attack wants them, and reads the field
// `x-outcome` of the responses.

const { setTimeout: delay } = require('node:timers/promises')
const { LAST_CHUNK, serializeHead, toChunks } = require('../../tools/http-message')
const RawConnection = require('../../tools/raw-connection')

const TIMEOUT = 60_000 // ms without a response
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
 *   the first byte of a request to the last response
 */
function volley (port, messageOf, crowd) {
  const requestOf = serializeOnce()
  const requests = Array.from({ length: crowd }, (_, index) => requestOf(messageOf(index)))
  return withConnections(port, crowd, async (connection, index) => [await exchange(connection, requests[index])])
}

/**
 * Sends small requests, many to a connection: so many at a time, and the next
 * ones after their responses.
 *
 * @param {number} port
 * @param {(index: number) => Message} messageOf
 * @param {number} crowd connections
 * @param {number} each requests on each connection
 * @param {number} first index of the first one
 * @returns {Promise<{ outcomes: string[], wall: number }>} like `volley`
 */
function pipeline (port, messageOf, crowd, each, first) {
  return withConnections(port, crowd, (connection, index) => stream(connection, messageOf, first + index * each, each))
}

async function withConnections (port, count, use) {
  const connections = await Promise.all(Array.from({ length: count }, () => RawConnection.open(port)))
  const start = performance.now()
  const outcomes = await Promise.all(connections.map(use))
  const wall = performance.now() - start
  for (const connection of connections) connection.close()
  return { outcomes: outcomes.flat(), wall }
}

/** @returns {(message: Message) => object} `serialize`, called once for each message */
const serializeOnce = () => remember(serialize)

/** Calls `make` once for each argument. */
function remember (make) {
  const known = new Map()
  return (argument) => {
    if (!known.has(argument)) known.set(argument, make(argument))
    return known.get(argument)
  }
}

/** The bytes of a message. */
function serialize ({ headers, pieces = [], chunk, pause, endless = false }) {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const framing = chunk === undefined ? { 'Content-Length': length } : { 'Transfer-Encoding': 'chunked' }
  const head = serializeHead({}, { Host: 'attacks', ...headers, ...framing })
  if (chunk === undefined) return { head, pieces, pause, endless }
  const chunksOf = remember((piece) => toChunks(piece, chunk))
  return { head, pieces: [...pieces.map(chunksOf), ...(endless ? [] : [LAST_CHUNK])], pause, endless }
}

/** @returns {Promise<string>} outcome */
async function exchange (connection, { head, pieces, pause, endless }) {
  const responses = connection.responses(1, TIMEOUT)
  await connection.write(pieces.length > 0 && pause === undefined ? Buffer.concat([head, pieces[0]]) : head)
  for (const piece of pause === undefined ? pieces.slice(1) : pieces) {
    if (pause !== undefined) await delay(pause)
    await connection.write(piece)
  }
  if (endless) await writeUntilClosed(connection, pieces.at(-1), pause)
  const [response] = await responses
  return response === undefined ? absenceOf(connection) : outcomeOf(response)
}

async function writeUntilClosed (connection, bytes, pause) {
  while (connection.socket.writable) {
    await delay(pause)
    await connection.write(bytes)
  }
}

async function stream (connection, messageOf, first, count) {
  const outcomes = []
  while (outcomes.length < count) {
    const size = Math.min(BATCH, count - outcomes.length)
    const requests = Array.from({ length: size }, (_, i) => serialize(messageOf(first + outcomes.length + i)))
    const responses = connection.responses(size, TIMEOUT)
    await connection.write(Buffer.concat(requests.flatMap(({ head, pieces }) => [head, ...pieces])))
    const seen = await responses
    outcomes.push(...seen.map(outcomeOf))
    if (seen.length < size) return [...outcomes, absenceOf(connection)]
  }
  return outcomes
}

function outcomeOf ({ status, headers }) {
  return headers['x-outcome'] ?? String(status)
}

function absenceOf ({ closed }) {
  return closed ? 'closed' : 'no answer'
}

module.exports = { exchange, pipeline, serialize, serializeOnce, stream, volley }
