'use strict'

const hdr = require('hdr-histogram-js')
const { setTimeout: sleep } = require('node:timers/promises')
const { takeTurns } = require('./blocks')
const Failure = require('./failure')
const { Remote } = require('./remote')
const Target = require('./target')
const Unfit = require('./unfit')

/**
 * Before any load: is what a side parses what was sent, and did it load what
 * it was told to?
 *
 * @param {import('./sides').Side} side
 * @param {import('./scenario').Scenario} scenario
 * @param {import('./driver')} driver
 * @returns {Promise<object[]>} the packages that its server loaded
 * @throws {Unfit} if the side does not do what the scenario is about
 */
function verify (side, scenario, driver) {
  const answer = side.url === undefined ? 'echo' : scenario.answer
  const target = createTarget(side, scenario, { answer })
  return whileAlive([target], async () => {
    await target.open()
    return inspect(target, scenario, driver, answer)
  })
}

/** The same of a server that is open already. */
async function inspect (target, scenario, driver, answer) {
  const { problem, lacks } = await driver.check(scenario, target.url, answer)
  await blame(target, problem)
  if (lacks !== null) throw new Unfit(`side ${target.side.letter} does not know the content coding ${lacks}`)
  return (await target.report()).packages
}

/**
 * One round, which is a block per side: fresh servers, warmed up, and then
 * loaded by turns, slice by slice. What disturbs the machine for longer than a
 * slice disturbs both.
 *
 * @param {import('./sides').Side[]} sides one or two
 * @param {import('./scenario').Scenario} scenario
 * @param {import('./driver')} driver
 * @param {() => number} random
 * @param {object} settings core, connections, rate; warmup and duration, s per
 *   side; slice, s
 * @returns {Promise<Record<string, object>>} letter -> block, see `blockOf`
 */
function measureRound (sides, scenario, driver, random, settings) {
  const targets = new Map(sides.map((side) => [side.letter, createTarget(side, scenario, { core: settings.core })]))
  const letters = [...targets.keys()]
  return whileAlive([...targets.values()], async () => {
    await Promise.all([...targets.values()].map((target) => target.open()))
    for (const [letter, { url }] of targets) await driver.open(letter, scenario, url, settings)
    if (settings.warmup > 0) {
      for (const letter of takeTurns(letters, settings.warmup, settings.slice, random)) {
        await blame(targets.get(letter), await driver.go(letter, settings.slice))
      }
    }
    const started = new Date().toISOString()
    const turns = takeTurns(letters, settings.duration, settings.slice, random)
    for (const [i, letter] of turns.entries()) {
      const target = targets.get(letter)
      await target.start()
      await blame(target, await driver.go(letter, settings.slice, turns.indexOf(letter) === i))
      await target.stop()
    }
    const ended = new Date().toISOString()
    const blocks = {}
    for (const [letter, target] of targets) {
      const load = await driver.finish(letter)
      await blame(target, load.responses === 0 ? 'no response at all' : null)
      const { meter } = await target.report()
      blocks[letter] = { side: letter, started, ended, ...blockOf(load, meter) }
    }
    return blocks
  })
}

async function whileAlive (targets, work) {
  try {
    return await Promise.race([work(), ...targets.map(({ died }) => died)])
  } finally {
    await Promise.all(targets.map((target) => target.close()))
  }
}

function createTarget (side, scenario, settings) {
  return side.url === undefined ? new Target(side, scenario, settings) : new Remote(side, scenario)
}

const GRACE = 500 // ms

/**
 * Says which side a complaint of the driver is about. If its server is dying,
 * that is the better reason; the driver may notice first.
 */
async function blame (target, problem) {
  if (problem === null) return
  await Promise.race([target.died, sleep(GRACE)])
  throw new Failure(`${target.name}: ${problem}`)
}

const MS = 1e6 // ns
const US = 1e3 // ns

/** The figures of a block, in the units that people read; null if unknown. */
function blockOf ({ responses, bytes, elapsed, cpu, statusCodes, latency }, meter) {
  const seconds = elapsed / 1e9
  return {
    responses,
    elapsed: seconds, // s
    rps: responses / seconds, // responses/s
    throughput: bytes / seconds, // bytes/s, of bodies that came back
    latency: latencyOf(hdr.decodeFromCompressedBase64(latency)), // ms
    statusCodes,
    driverUtilisation: cpu / elapsed, // 1 is one busy core
    ...(meter === null ? {} : serverFigures(meter)),
    histogram: latency // of ns, HdrHistogram V2, compressed, base64
  }
}

function serverFigures ({ requests, elapsed, cpuUser, cpuSystem, gcTime, heapAllocated, eventLoopDelayP99, rssPeak }) {
  return {
    cpu: (cpuUser + cpuSystem) / requests / US, // us of CPU time per request
    cpuUser: cpuUser / requests / US,
    cpuSystem: cpuSystem / requests / US,
    utilisation: (cpuUser + cpuSystem) / elapsed, // 1 is one busy core
    eventLoopDelay: eventLoopDelayP99, // ms, 99th percentile
    gc: gcTime && gcTime / requests / US, // us per request
    heap: heapAllocated && heapAllocated / requests, // bytes per request
    rss: rssPeak // bytes
  }
}

/** Milliseconds. */
function latencyOf (histogram) {
  const at = (percentile) => histogram.getValueAtPercentile(percentile) / MS
  return {
    mean: histogram.mean / MS,
    p50: at(50),
    p90: at(90),
    p97_5: at(97.5),
    p99: at(99),
    p99_9: at(99.9),
    max: histogram.maxValue / MS
  }
}

module.exports = { verify, inspect, measureRound, latencyOf }
