'use strict'

// Keeps the connections busy for some time.

const { below, pick } = require('../../tools/random')

const CONNECTIONS = 16
const ABORTED = 0.05 // of the exchanges
const PIPELINED = 0.2
const MOST_PIPELINED = 4 // requests at a time
const MOST_PIECES = 4 // writes

/**
 * @param {object} load
 * @param {import('./connection').Connection[]} load.connections
 * @param {import('./traffic').Message[]} load.mix
 * @param {() => number} load.random
 * @param {(fault: string) => void} load.fault is called with each wrong answer
 * @param {number} duration s
 */
async function run ({ connections, mix, random, fault }, duration) {
  const end = performance.now() + duration * 1000
  await Promise.all(connections.map(async (connection) => {
    while (performance.now() < end) {
      for (const difference of await step(connection, mix, random)) fault(difference)
    }
    await connection.open() // so that samples always count as many handles
  }))
}

async function step (connection, mix, random) {
  const any = () => pick(mix, random)
  const upTo = (most) => 1 + below(most, random)
  const kind = random()
  if (kind < ABORTED) {
    await connection.abort(any(), random())
    return []
  }
  const count = kind < ABORTED + PIPELINED ? upTo(MOST_PIPELINED) : 1
  return connection.exchange(Array.from({ length: count }, any), upTo(MOST_PIECES))
}

module.exports = { CONNECTIONS, run }
