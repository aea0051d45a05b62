'use strict'

// Runs one stream: a server for each target, one attacker, and innocents. The
// targets take turns in short rounds, so that what else the machine does meets
// all of them.

const path = require('node:path')
const IpcProcess = require('../../../tools/ipc-process')
const { serializeRequest } = require('../../../tools/http-message')
const { median, quantile } = require('../../../tools/statistics')
const { openLoop } = require('./open-loop')

const START = 60_000 // ms for a process to be ready; the attacker makes its body
const ANSWER = 120_000 // ms
const PROBE = 400 // ms in which a target warms up
const SHARE = 0.25 // of body-parser's main thread that an attack takes: nearer to a half, the median of the innocents would be chance
const MOST = 400 // attacks per second
const MOST_BYTES = 100 * 2 ** 20 // per second
const LEAST = 2 // attacks in a round
const INNOCENTS = 200 // requests per second

const INNOCENT = serializeRequest({
  path: '/innocent',
  headers: { Host: 'streams', 'Content-Type': 'application/json' },
  body: Buffer.from(JSON.stringify({ id: 1, name: 'innocent', tags: ['a', 'b'], active: true }))
})

/**
 * @typedef {object} Load of one target; the medians of all rounds
 * @property {number} busy share of the time in which the main thread was on a CPU
 * @property {number} loop share of the time in which the event loop was busy, on a clock
 * @property {number} cpu share of one core that the process took
 * @property {number} p50 ms, of the innocents
 * @property {number} p99 ms
 * @property {number} missed attacks that were not sent, as too many had not been answered
 * @property {Record<string, number>} outcomes of the attacks
 * @property {Record<string, number>} answers to the innocents
 */

/**
 * @param {import('./rows').Stream} row
 * @param {string[]} targets see ../targets.js; the last one is the yardstick
 * @param {object} settings
 * @param {number} settings.rounds
 * @param {number} settings.seconds of a round
 * @param {string} [settings.parser] the folder of the package to test
 * @returns {Promise<{ rate: number, targets: Record<string, Load> }>}
 */
async function run (row, targets, { rounds, seconds, parser }) {
  const { name, parser: factory, options, server } = row
  const processes = []
  const open = (title, file, argument) => {
    const child = new IpcProcess(title, [process.execPath, path.join(__dirname, file), argument], __dirname)
    processes.push(child)
    return child
  }
  const seen = Object.fromEntries(targets.map((target) => [target, []]))
  try {
    const attacker = open(`the attacker of ${name}`, 'attacker.js', name)
    const ready = attacker.ready(START)
    const servers = targets.map((target) => open(`${name}, ${target}`, '../server.js', JSON.stringify({ target, package: parser, parser: factory, options, server })))
    const ports = (await Promise.all(servers.map((child) => child.ready(START)))).map(({ port }) => port)
    const { size } = await ready

    let cost
    for (const [index, child] of servers.entries()) cost = await probe(child, attacker, ports[index])
    const rate = row.rate ?? Math.max(LEAST / seconds, Math.min(MOST, MOST_BYTES / size, SHARE * 1000 / cost))
    for (let round = 0; round < rounds; round++) {
      for (let turn = 0; turn < targets.length; turn++) {
        const index = (round + turn) % targets.length
        seen[targets[index]].push(await roundOf(servers[index], attacker, ports[index], rate, seconds * 1000))
      }
    }
    return { rate, targets: Object.fromEntries(targets.map((target) => [target, summarize(seen[target])])) }
  } finally {
    for (const child of processes) await child.close()
  }
}

/** @returns {Promise<number>} ms of the main thread for one attack */
async function probe (server, attacker, port) {
  await server.ask('start', {}, ANSWER)
  const { count } = await attacker.ask('probe', { port, duration: PROBE }, ANSWER)
  const { main } = await server.ask('read', {}, ANSWER)
  return main / count
}

async function roundOf (server, attacker, port, rate, duration) {
  await server.ask('start', {}, ANSWER)
  const attacking = attacker.ask('attack', { port, rate, duration }, ANSWER)
  const innocents = await openLoop(port, post, INNOCENTS, duration)
  const { outcomes, missed } = await attacking
  const { main, loop, cpu } = await server.ask('read', {}, ANSWER)
  const sorted = innocents.latencies.sort((a, b) => a - b)
  return {
    busy: main / duration, // over 1 if the work went on after the last request
    loop: loop / duration,
    cpu: cpu / duration,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    missed: missed + innocents.missed,
    outcomes,
    answers: innocents.outcomes
  }
}

async function post (connection) {
  const responses = connection.responses(1, ANSWER)
  connection.write(INNOCENT)
  const [response] = await responses
  return response === undefined ? 'closed' : String(response.status)
}

function summarize (rounds) {
  const middle = (name) => median(rounds.map((round) => round[name]))
  const sums = (name) => rounds.map((round) => round[name]).reduce(add)
  return {
    ...Object.fromEntries(['busy', 'loop', 'cpu', 'p50', 'p99'].map((name) => [name, middle(name)])),
    missed: rounds.reduce((sum, { missed }) => sum + missed, 0),
    outcomes: sums('outcomes'),
    answers: sums('answers')
  }
}

function add (one, other) {
  const sum = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

module.exports = { run, summarize }
