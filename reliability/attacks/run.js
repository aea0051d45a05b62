'use strict'

// Sends one attack so many times a second, beside background clients: to a new
// server of each target, alternately, so that other load on the machine affects
// all of them.

const path = require('node:path')
const { IpcProcess } = require('../../tools/ipc')
const { withLab } = require('../../tools/lab')
const { median } = require('../../tools/statistics')

const APP = path.join(__dirname, 'app.js')
const TIMEOUT = 120_000 // ms for the attacker to be ready, which makes its body, or to be done
const PROBE = 400 // ms in which a target warms up
// Of body-parser's main thread that an attack takes: nearer to a half, the median of the others would be chance.
const SHARE = 0.25
const MOST = 400 // attacks per second
const MOST_BYTES = 100 * 2 ** 20 // per second
const LEAST = 2 // attacks in a round
const CLIENTS = 50 // in the background, more than wait at a time
const RATE = 200 // requests per second of all of them

const BACKGROUND = {
  method: 'POST',
  path: '/background',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ id: 1, name: 'background', tags: ['a', 'b'], active: true })),
  expected: { status: 200, body: 'ok' }
}

/**
 * @typedef {object} Figures of a target: medians of all rounds
 * @property {number} busy share of the time in which the main thread was on a CPU
 * @property {number} p50 ms, of the background clients
 * @property {number} p99 ms
 * @property {number} peak bytes of resident memory at most
 * @property {number} missed attacks that were not sent, as too many had not been answered
 * @property {Record<string, number>} outcomes of the attacks
 */

/**
 * @param {import('./catalog').Attack} attack
 * @param {string[]} targets see app.js; the last one is the baseline
 * @param {{ rounds: number, seconds: number }} settings s of a round
 * @returns {Promise<{ rate: number, targets: Record<string, Figures> }>} attacks per second
 */
module.exports = function run ({ name, parser, options, server: how, rate: fixed }, targets, { rounds, seconds }) {
  return withLab(async (lab) => {
    const command = [process.execPath, path.join(__dirname, 'attacker.js'), name]
    const attacker = new IpcProcess(`the attacker of ${name}`, command, __dirname)
    const ready = attacker.ready(TIMEOUT)
    ready.catch(() => {}) // it is awaited below
    try {
      const servers = []
      for (const target of targets) {
        const settings = { target, parser, options, server: how }
        const server = await lab.start({ name: `${name}, ${target}`, app: APP, settings })
        await server.connect([BACKGROUND], CLIENTS)
        servers.push(server)
      }
      const { size } = await ready
      let cost
      for (const server of servers) cost = await probe(server, attacker)
      const rate = fixed ?? Math.max(LEAST / seconds, Math.min(MOST, MOST_BYTES / size, SHARE * 1000 / cost))
      const seen = targets.map(() => [])
      for (let turn = 0; turn < rounds * targets.length; turn++) {
        const index = (Math.floor(turn / targets.length) + turn) % targets.length // another one begins each round
        seen[index].push(await measureRound(servers[index], attacker, rate, seconds * 1000))
      }
      return { rate, targets: Object.fromEntries(targets.map((target, index) => [target, summarize(seen[index])])) }
    } finally {
      await attacker.close()
    }
  })
}

/** @returns {Promise<number>} ms of the main thread for one attack */
async function probe (server, attacker) {
  const before = await server.ask('usage')
  const { count } = await attacker.ask('probe', { port: server.port, duration: PROBE }, TIMEOUT)
  const after = await server.ask('usage')
  return (after.main - before.main) / count
}

async function measureRound (server, attacker, rate, duration) {
  const before = await server.ask('usage')
  const attacking = attacker.ask('attack', { port: server.port, rate, duration }, TIMEOUT)
  attacking.catch(() => {}) // it is awaited below
  const { latency } = await server.load({ rate: RATE, time: duration })
  const { outcomes, missed } = await attacking
  const after = await server.ask('usage')
  const { peak } = await server.ask('sample')
  return { busy: (after.main - before.main) / duration, p50: latency.p50, p99: latency.p99, peak, missed, outcomes }
}

function summarize (rounds) {
  const outcomes = {}
  for (const [name, count] of rounds.flatMap((round) => Object.entries(round.outcomes))) {
    outcomes[name] = (outcomes[name] ?? 0) + count
  }
  const medians = ['busy', 'p50', 'p99', 'peak'].map((key) => [key, median(rounds.map((round) => round[key]))])
  return { ...Object.fromEntries(medians), missed: rounds.reduce((sum, { missed }) => sum + missed, 0), outcomes }
}

module.exports.summarize = summarize
