'use strict'

// Sends the exact bytes of an attack, at given times, and
// reads the field `x-outcome` of the responses.

const { setTimeout: delay } = require('node:timers/promises')
const { LAST_CHUNK, serializeHead, toChunks } = require('../../tools/http-message')
const RawConnection = require('../../tools/talk')

const TIMEOUT = 10_000 // ms for a response
const PIPELINED = 16 // small requests that are written at a time
const MOST = 400 // requests at a time; more are missed

/**
 * @typedef {object} Message
 * @property {Record<string, string>} [headers]
 * @property {Buffer[]} [pieces] of the body, each written on its own
 * @property {number} [chunk] bytes in a chunk: sends the body in chunked transfer coding
 * @property {number} [pause] ms between two pieces
 * @property {boolean} [endless] sends the last piece again and again, until the connection is closed
 */

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

/**
 * @param {import('./catalog').Attack} attack
 * @returns {Promise<{ size: number, exchange: (connection: RawConnection, index: number) => Promise<string> }>}
 *   bytes of a body; sends the attack once, and gives the outcome
 */
async function clientOf ({ isSmall, prepare }) {
  const messageOf = await prepare()
  const requestOf = remember(serialize)
  const size = requestOf(messageOf(0)).pieces.reduce((sum, { length }) => sum + length, 0)
  if (!isSmall) return { size, exchange: (connection, index) => exchange(connection, requestOf(messageOf(index))) }
  return { size, exchange: (connection, index) => pipeline(connection, Array.from({ length: PIPELINED }, (_, i) => serialize(messageOf(index * PIPELINED + i)))) }
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
  return outcomeOf(response, connection)
}

async function writeUntilClosed (connection, bytes, pause) {
  while (connection.socket.writable) {
    await delay(pause)
    await connection.write(bytes)
  }
}

async function pipeline (connection, requests) {
  const responses = connection.responses(requests.length, TIMEOUT)
  await connection.write(Buffer.concat(requests.flatMap(({ head, pieces }) => [head, ...pieces])))
  return outcomeOf((await responses)[requests.length - 1], connection)
}

function outcomeOf (response, { closed }) {
  if (response === undefined) return closed ? 'closed' : 'no answer'
  return response.headers['x-outcome'] ?? String(response.status)
}

/**
 * Sends requests at given times, whether earlier ones have been answered or not.
 *
 * @param {number} port
 * @param {(connection: RawConnection, index: number) => Promise<string>} exchange
 * @param {number} rate requests per second
 * @param {number} duration ms
 * @returns {Promise<{ outcomes: Record<string, number>, missed: number }>} how often each outcome was seen; requests
 *   that were not sent, as too many had not been answered
 */
async function sendAtRate (port, exchange, rate, duration) {
  const idle = []
  const sent = { outcomes: {}, missed: 0 }
  const pending = new Set()
  const start = performance.now()
  for (let index = 0; ; index++) {
    const due = start + index * 1000 / rate
    if (due >= start + duration) break
    const left = due - performance.now()
    if (left > 0) await delay(left)
    if (pending.size === MOST) {
      sent.missed++
      continue
    }
    const request = onConnection(port, idle, (connection) => exchange(connection, index)).then((outcome) => {
      sent.outcomes[outcome] = (sent.outcomes[outcome] ?? 0) + 1
      pending.delete(request)
    })
    pending.add(request)
  }
  await Promise.all(pending)
  for (const connection of idle) connection.close()
  return sent
}

/** Sends one request after the other. @returns {Promise<number>} how many */
async function sendInTurn (port, exchange, duration) {
  const idle = []
  const end = performance.now() + duration
  let count = 0
  while (performance.now() < end) await onConnection(port, idle, (connection) => exchange(connection, count++))
  for (const connection of idle) connection.close()
  return count
}

/** Uses an idle connection, or another one. */
async function onConnection (port, idle, act) {
  let connection
  do connection = idle.pop() ?? await RawConnection.open(port)
  while (connection.closed)
  const outcome = await act(connection)
  if (outcome === 'no answer') connection.close()
  else if (!connection.closed) idle.push(connection)
  return outcome
}

module.exports = { clientOf, sendAtRate, sendInTurn, serialize }
