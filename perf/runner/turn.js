'use strict'

const { setTimeout: sleep } = require('node:timers/promises')
const blockOf = require('../results/block')
const { steadySince } = require('../statistics/steady')
const { blame } = require('./verify')

const POLL = 250 // ms between two looks at a server that warms up

/**
 * A target of a run: its server, and the driver that loads it.
 *
 * @typedef {{ letter: string, server: object, driver: import('../load/driver'), keepGoing: boolean }} Side
 */

/** Opens the connections of a load to a side, does the work, and closes them. */
async function withLoad (sides, load, settings, work) {
  for (const { letter, server, driver } of sides) await driver.open(letter, server.scenario, server.url, { ...settings, ...load })
  const result = await work()
  for (const { letter, driver } of sides) await driver.closeConnections(letter)
  return result
}

/** Ends a load. */
async function stop ({ letter, server, driver, keepGoing }) {
  const { problem, counts } = await driver.stop(letter)
  if (problem !== null && !keepGoing) await blame(server, problem)
  return counts
}

/**
 * Loads a server until its CPU time per request is steady.
 *
 * @param {Side} side
 * @param {number} limit s
 * @returns {Promise<{ steady: { seconds: number, requests: number } | null, cpu: number | null }>}
 *   when it became steady, or null if it did not; ns of CPU time per request
 *   since then. A server elsewhere does not tell: it is loaded for all the time
 */
async function warmUp (side, limit) {
  const { letter, server, driver } = side
  const end = Date.now() + limit * 1000
  let windows = []
  let since = null
  await server.start()
  await driver.start(letter)
  while (since === null && Date.now() < end) {
    await sleep(POLL)
    windows = await server.windows() ?? []
    since = steadySince(windows.map(({ cpu }) => cpu))
  }
  await server.stop()
  await stop(side)
  if (since === null) return { steady: null, cpu: null }
  return { steady: { seconds: sum(windows.slice(0, since), 'elapsed') / 1e9, requests: sum(windows.slice(0, since), 'requests') }, cpu: cpuOf(windows.slice(since)) }
}

function sum (windows, key) {
  return windows.reduce((total, window) => total + window[key], 0)
}

function cpuOf (windows) {
  return windows.reduce((total, { cpu, requests }) => total + cpu * requests, 0) / sum(windows, 'requests')
}

/**
 * One turn: continuous load, of which the first part is not measured, as it
 * contains what the change of turns does. With `lead` 0 all of it is.
 *
 * @param {Side[]} sides one; or more, for load on all at the same time
 * @param {{ lead: number, duration: number }} settings s; s that are measured
 * @returns {Promise<Record<string, object>>} letter -> block, see results/block.js
 */
async function measureTurn (sides, { lead, duration }) {
  const each = async (work) => {
    for (const side of sides) await work(side)
  }
  const begin = () => each(async ({ letter, server, driver }) => {
    await server.start()
    await driver.begin(letter)
  })
  if (lead === 0) await begin()
  await each(({ letter, driver }) => driver.start(letter))
  if (lead > 0) {
    await sleep(lead * 1000)
    await begin()
  }
  const started = new Date().toISOString()
  await sleep(duration * 1000)
  const meters = {}
  await each(async ({ letter, server, driver }) => {
    meters[letter] = await server.stop()
    await driver.end(letter)
  })
  const ended = new Date().toISOString()
  const blocks = {}
  await each(async (side) => {
    const counts = await stop(side)
    if (counts.responses === 0) await blame(side.server, counts.problem ?? 'no response at all')
    blocks[side.letter] = { target: side.letter, started, ended, ...blockOf(counts, meters[side.letter]) }
  })
  return blocks
}

module.exports = { withLoad, warmUp, measureTurn }
