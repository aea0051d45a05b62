'use strict'

const hdr = require('hdr-histogram-js')
const Failure = require('./failure')
const mergeHistograms = require('./histograms')
const Remote = require('./remote')
const countStatusCodes = require('./status-codes')
const Target = require('./target')

/**
 * Before any load: is what a side parses what was sent, and did it load what
 * it was told to?
 *
 * @param {import('./sides').Side} side
 * @param {import('./scenario').Scenario} scenario
 * @param {import('./load')} driver
 * @returns {Promise<object[]>} the packages that its server loaded
 */
function verify (side, scenario, driver) {
  const answer = side.url === undefined ? 'echo' : scenario.answer
  const target = createTarget(side, scenario, { answer })
  return whileAlive([target], async () => {
    await blame(target, driver.check(scenario, await target.open(), answer))
    return (await target.report()).packages
  })
}

/**
 * One round, which is a block per side: fresh servers, warmed up, and then
 * loaded by turns, slice by slice. What disturbs the machine for longer than a
 * slice disturbs both.
 *
 * @param {import('./sides').Side[]} sides one or two
 * @param {import('./scenario').Scenario} scenario
 * @param {import('./load')} driver
 * @param {string[]} turns letter of the side that each slice loads
 * @param {object} settings core, connections, rate; warmup and duration, s per side
 * @returns {Promise<Record<string, object>>} letter -> block, see `blockOf`
 */
function measureRound (sides, scenario, driver, turns, settings) {
  const targets = sides.map((side) => createTarget(side, scenario, { core: settings.core }))
  return whileAlive(targets, async () => {
    const loads = {}
    const started = new Date().toISOString()
    await Promise.all(targets.map((target) => target.open()))
    for (const target of targets) {
      if (settings.warmup > 0) await blame(target, driver.run(scenario, target.url, settings.warmup, settings))
      loads[target.side.letter] = []
    }
    const slice = settings.duration * sides.length / turns.length
    for (const letter of turns) {
      const target = targets.find(({ side }) => side.letter === letter)
      await target.start()
      loads[letter].push(await blame(target, driver.run(scenario, target.url, slice, settings)))
      await target.stop()
    }
    const blocks = {}
    for (const target of targets) {
      const { letter } = target.side
      const { meter } = await target.report()
      blocks[letter] = { side: letter, started, first: turns[0] === letter, ...blockOf(loads[letter], meter) }
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

/** Says which side a complaint of the driver is about. */
async function blame (target, promise) {
  try {
    return await promise
  } catch (error) {
    throw error instanceof Failure ? new Failure(`${target.name}: ${error.message}`) : error
  }
}

const MS = 1e6 // ns
const US = 1e3 // ns

/** The figures of a block, in the units that people read; null if unknown. */
function blockOf (loads, meter) {
  const seconds = sum(loads, 'elapsed') / 1e9
  const responses = sum(loads, 'responses')
  const histogram = mergeHistograms(loads.map(({ latency }) => latency))
  return {
    responses,
    elapsed: seconds, // s
    rps: responses / seconds, // responses/s
    throughput: sum(loads, 'bytes') / seconds, // bytes/s, of responses
    latency: latencyOf(histogram), // ms
    statusCodes: countStatusCodes(loads),
    ...(meter === null ? {} : serverFigures(meter)),
    histogram: hdr.encodeIntoCompressedBase64(histogram) // of ns, HdrHistogram V2
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

function sum (loads, key) {
  return loads.reduce((total, load) => total + load[key], 0)
}

module.exports = { verify, measureRound }
