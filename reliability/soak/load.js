'use strict'

// Keeps the connections busy for some time, and then lets them rest.

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
 * @param {(fault: string) => void} load.fault is told what was answered wrongly
 * @param {number} duration s
 */
async function run ({ connections, mix, random, fault }, duration) {
  const end = performance.now() + duration * 1000
  await Promise.all(connections.map(async (connection) => {
    while (performance.now() < end) {
      for (const difference of await step(connection, mix, random)) fault(difference)
    }
    await connection.open() // at rest there are always as many
  }))
}

async function step (connection, mix, random) {
  const any = () => mix[Math.floor(random() * mix.length)]
  const upTo = (most) => 1 + Math.floor(random() * most)
  const kind = random()
  if (kind < ABORTED) {
    await connection.abort(any(), random())
    return []
  }
  const count = kind < ABORTED + PIPELINED ? upTo(MOST_PIPELINED) : 1
  return connection.exchange(Array.from({ length: count }, any), upTo(MOST_PIECES))
}

module.exports = { CONNECTIONS, run }
