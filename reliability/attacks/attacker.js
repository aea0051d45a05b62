'use strict'

// Sends the exact bytes of an attack, at given times, and reads the field `x-outcome` of the responses: in a process of
// its own, so that its work does not delay the requests of the background clients.

const { setTimeout: delay } = require('node:timers/promises')
const { LAST_CHUNK, messageOf, toChunks } = require('../../tools/http-message')
const { handleCommands, failAndExit, sayReady } = require('../../tools/ipc')
const Talk = require('../../tools/talk')
const attacks = require('./catalog')

const TIMEOUT = 10_000 // ms for a response
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

/** The bytes of a message. @param {Message} message */
function serialize ({ headers, pieces = [], chunk, pause, endless = false }) {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const message = messageOf({ headers, length, chunked: chunk !== undefined })
  const head = Buffer.from(message.head, 'latin1')
  if (chunk === undefined) return { head, pieces, pause, endless }
  const chunksOf = remember((piece) => toChunks(piece, chunk))
  return { head, pieces: [...pieces.map(chunksOf), ...(endless ? [] : [LAST_CHUNK])], pause, endless }
}

/** The bytes of a body, and a function that sends the attack once, and gives the outcome. */
async function clientOf ({ prepare }) {
  const messageOf = await prepare()
  const requestOf = remember(serialize)
  const size = requestOf(messageOf(0)).pieces.reduce((sum, { length }) => sum + length, 0)
  return { size, exchange: (talk, index) => exchange(talk, requestOf(messageOf(index))) }
}

/** @returns {Promise<string>} outcome */
async function exchange (talk, { head, pieces, pause, endless }) {
  const responses = talk.responses(1, TIMEOUT)
  const wait = (written) => pause === undefined ? written : delay(pause)
  await talk.send(pause === undefined ? { head, pieces } : { pieces: [head, ...pieces] }, wait)
  if (endless) await writeUntilClosed(talk, pieces.at(-1), pause)
  const [response] = await responses
  if (response === undefined) return talk.closed ? 'closed' : 'no answer'
  return response.headers['x-outcome'] ?? String(response.status)
}

async function writeUntilClosed (talk, bytes, pause) {
  while (talk.socket.writable) {
    await delay(pause)
    await talk.write(bytes)
  }
}

/**
 * Sends so many requests per second, whether earlier ones have been answered or not; or one after the other.
 *
 * @returns {Promise<{ outcomes: Record<string, number>, missed: number }>} how often each outcome was seen; requests
 *   that were not sent, as too many had not been answered
 */
async function send (exchange, { port, duration, rate }) {
  const idle = []
  const sent = { outcomes: {}, missed: 0 }
  const pending = new Set()
  const start = performance.now()
  for (let index = 0; ; index++) {
    const now = performance.now()
    const due = rate === undefined ? now : start + index * 1000 / rate
    if (due >= start + duration) break
    if (due > now) await delay(due - now)
    if (pending.size === MOST) {
      sent.missed++
      continue
    }
    const request = onConnection(port, idle, (talk) => exchange(talk, index)).then((outcome) => {
      sent.outcomes[outcome] = (sent.outcomes[outcome] ?? 0) + 1
      pending.delete(request)
    })
    pending.add(request)
    if (rate === undefined) await request
  }
  await Promise.all(pending)
  for (const talk of idle) talk.close()
  return sent
}

/** Uses an idle connection, or another one. */
async function onConnection (port, idle, act) {
  let talk
  do talk = idle.pop() ?? await Talk.open(port)
  while (talk.closed)
  const outcome = await act(talk)
  if (outcome === 'no answer') talk.close()
  else if (!talk.closed) idle.push(talk)
  return outcome
}

async function start (name) {
  const { size, exchange } = await clientOf(attacks.find((attack) => attack.name === name))
  handleCommands({ attack: (how) => send(exchange, how) })
  sayReady({ size })
}

if (require.main === module) start(process.argv[2]).catch(failAndExit)

module.exports = { clientOf, serialize }
