'use strict'

// Keeps the connections busy for some time.

const { randomInt, pick } = require('../../tools/random')

const CONNECTIONS = 16
const ABORTED = 0.05 // of the exchanges
const DISTURBED = 0.05
const PIPELINED = 0.2
const MOST_PIPELINED = 4 // requests at a time
const MOST_PIECES = 4 // writes
const STALLED = 0.002 // of the exchanges, with options that bound them

/**
 * @param {object} load
 * @param {import('./connection').Connection[]} load.connections
 * @param {import('./traffic').Message[]} load.mix
 * @param {() => number} load.random
 * @param {{ act: string, step: string }[]} load.disturbances what other code does to a request
 * @param {import('./traffic').Message[]} load.stalling messages that may stall; none without a bound for them
 * @param {(fault: string) => void} load.fault is called with each wrong answer
 * @param {number} duration s
 */
async function run ({ connections, mix, disturbances, stalling, random, fault }, duration) {
  const end = performance.now() + duration * 1000
  await Promise.all(connections.map(async (connection) => {
    while (performance.now() < end) {
      for (const difference of await step(connection, { mix, disturbances, stalling, random })) fault(difference)
    }
    await connection.open() // so that samples always count as many handles
  }))
}

async function step (connection, { mix, disturbances, stalling, random }) {
  const any = () => pick(mix, random)
  const upTo = (most) => 1 + randomInt(most, random)
  const kind = random()
  if (kind < ABORTED) {
    await connection.abort(any(), Math.min(1, random() * 1.5)) // a third of them when all is sent
    return []
  }
  if (kind < ABORTED + DISTURBED) {
    const disturbance = pick(disturbances, random)
    // Node forgets a request that is answered before its body is there: see ../matrix/allowed-differences.js.
    const part = disturbance.act === 'res.end()' || random() < 0.5 ? 1 : random()
    await connection.disturb(any(), disturbance, part, upTo(MOST_PIECES))
    return []
  }
  if (stalling.length > 0 && kind > 1 - STALLED) return connection.stall(pick(stalling, random), 0.99)
  const count = kind < ABORTED + DISTURBED + PIPELINED ? upTo(MOST_PIPELINED) : 1
  return connection.exchange(Array.from({ length: count }, any), upTo(MOST_PIECES))
}

module.exports = { CONNECTIONS, run }
