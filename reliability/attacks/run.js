'use strict'

// Sends one attack so many times a second, beside background clients: to a new
// server of each target, alternately, so that other load on the machine affects
// all of them.

const path = require('node:path')
const { IpcProcess } = require('../../tools/ipc')
const { withLab } = require('../../tools/lab')
const { median } = require('../../tools/statistics')

const APP = path.join(__dirname, 'app.js')
const TARGETS = ['fast-body-parser', 'body-parser']
const TRIES = 3 // a fault must show in each of them, as other load on the machine can look like one
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
 * The figures that are judged: how much more than body-parser an attack may cost, as a share of its cost and the noise
 * of two measurements of the same code; and how they are shown. Node.js collects the memory that it reads sockets into
 * only once it is some 32 MB.
 */
const FIGURES = {
  busy: { part: 0.15, least: 0.02, digits: 2, unit: 1, title: 'busy' },
  p50: { part: 0.25, least: 1, digits: 1, unit: 1, title: 'p50 ms' },
  p99: { part: 0.5, least: 10, digits: 1, unit: 1, title: 'p99 ms' },
  peak: { part: 0.25, least: 48 * 2 ** 20, digits: 0, unit: 2 ** 20, title: 'MB' }
}

const HEADLINE = `${'attack'.padEnd(26)}    /s${Object.values(FIGURES).map(({ title }) => title.padStart(14)).join('')}`

/**
 * @typedef {object} Figures of a target: medians of all rounds
 * @property {number} busy share of the time in which the main thread was on a CPU
 * @property {number} p50 ms, of the background clients; and `p99`
 * @property {number} peak bytes of resident memory
 * @property {number} missed attacks that were not sent, as too many had not been answered
 * @property {Record<string, number>} outcomes of the attacks
 */

/** @returns {Promise<{ faults: string[], text: string }>} */
async function measure (attack, settings) {
  let row
  for (let left = TRIES; left > 0 && row?.faults.length !== 0; left--) {
    const { rate, figures } = await run(attack, settings)
    const seen = faultsOf(attack, ...figures)
    row = { rate, figures, faults: seen.filter((fault) => row?.faults.includes(fault) ?? true) }
  }
  const { faults, figures, rate } = row
  const cells = Object.entries(FIGURES).flatMap(([key, { digits, unit }]) =>
    figures.map((side) => (side[key] / unit).toFixed(digits).padStart(7)))
  const verdict = faults.length === 0 ? 'ok' : `${faults.join(', ')}; outcomes ${JSON.stringify(figures[0].outcomes)}`
  return { faults, text: `${attack.name.padEnd(26)}${rate.toFixed(0).padStart(6)}${cells.join('')}  ${verdict}` }
}

/** @returns {string[]} the figures in which an attack exceeds the baseline, 'outcome' and 'missed' */
function faultsOf ({ expect, allowed = [], most = 1 }, seen, baseline) {
  const faults = Object.keys(FIGURES).filter((key) => !allowed.includes(key) &&
    seen[key] > baseline[key] * (key === 'busy' ? most : 1) * (1 + FIGURES[key].part) + FIGURES[key].least)
  if (!Object.keys(seen.outcomes).every((outcome) => expect.includes(outcome))) faults.push('outcome')
  if (seen.missed > baseline.missed) faults.push('missed')
  return faults
}

/** @returns {Promise<{ rate: number, figures: [ours: Figures, theirs: Figures] }>} `rate`: attacks per second */
function run ({ name, parser, options, server: how, rate: fixed, targets = TARGETS }, { rounds, seconds }) {
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
      return { rate, figures: seen.map(summarize) }
    } finally {
      await attacker.close()
    }
  })
}

/** @returns {Promise<number>} ms of the main thread for one attack */
async function probe (server, attacker) {
  const before = await server.ask('usage')
  const { outcomes } = await attacker.ask('attack', { port: server.port, duration: PROBE }, TIMEOUT)
  const after = await server.ask('usage')
  return (after.main - before.main) / Object.values(outcomes).reduce((sum, count) => sum + count)
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

/** @returns {Figures} */
function summarize (rounds) {
  const outcomes = {}
  for (const [name, count] of rounds.flatMap((round) => Object.entries(round.outcomes))) {
    outcomes[name] = (outcomes[name] ?? 0) + count
  }
  const medians = Object.keys(FIGURES).map((key) => [key, median(rounds.map((round) => round[key]))])
  return { ...Object.fromEntries(medians), missed: rounds.reduce((sum, { missed }) => sum + missed, 0), outcomes }
}

module.exports = { faultsOf, HEADLINE, measure, run, summarize }
