'use strict'

// Sends requests at given times, whether earlier ones have been answered or not.

const { setTimeout: delay } = require('node:timers/promises')
const RawConnection = require('../../../tools/raw-connection')

const MOST = 400 // requests at a time; more are missed
const PATIENCE = 10_000 // ms for the last ones

/**
 * @typedef {object} Sent
 * @property {number[]} latencies ms from the time at which a request was due to its response
 * @property {Record<string, number>} outcomes how often each was seen
 * @property {number} missed requests that were not sent, as too many had not been answered
 */

/**
 * @param {number} port
 * @param {(connection: RawConnection, index: number) => Promise<string>} exchange sends a request, returns the outcome
 * @param {number} rate requests per second
 * @param {number} duration ms
 * @returns {Promise<Sent>} after the last response
 */
async function openLoop (port, exchange, rate, duration) {
  const pool = new Pool(port)
  const sent = { latencies: [], outcomes: {}, missed: 0 }
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
    const begin = Math.min(due, performance.now()) // a timer may fire a little early
    const request = pool.use((connection) => exchange(connection, index)).then((outcome) => {
      sent.latencies.push(performance.now() - begin)
      sent.outcomes[outcome] = (sent.outcomes[outcome] ?? 0) + 1
      pending.delete(request)
    })
    pending.add(request)
  }
  await Promise.race([Promise.all(pending), delay(PATIENCE, undefined, { ref: false })])
  pool.close()
  await Promise.all(pending)
  return sent
}

/** Sends one request after the other. */
async function closedLoop (port, exchange, duration) {
  const pool = new Pool(port)
  const end = performance.now() + duration
  let count = 0
  while (performance.now() < end) await pool.use((connection) => exchange(connection, count++))
  pool.close()
  return count
}

/** Connections, of which one that is idle is used again. */
class Pool {
  constructor (port) {
    this.port = port
    this.idle = []
    this.all = new Set()
  }

  async use (act) {
    const connection = this.take() ?? await this.open()
    try {
      return await act(connection)
    } finally {
      if (connection.closed) this.all.delete(connection)
      else this.idle.push(connection)
    }
  }

  take () {
    while (this.idle.length > 0) {
      const connection = this.idle.pop()
      if (!connection.closed) return connection
      this.all.delete(connection)
    }
  }

  async open () {
    const connection = await RawConnection.open(this.port)
    this.all.add(connection)
    return connection
  }

  close () {
    for (const connection of this.all) connection.close()
  }
}

module.exports = { closedLoop, openLoop, Pool }
