'use strict'

const hdr = require('hdr-histogram-js')
const Failure = require('./failure')
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
async function verify (side, scenario, driver) {
  const target = new Target(side, scenario, { answer: 'echo' })
  return whileAlive(target, async () => {
    const url = await target.open()
    await target.start()
    await driver.check(scenario, url, 'echo')
    const { loaded } = await target.stop()
    return loaded.packages
  })
}

/**
 * One block: a fresh server, warmed up, then measured.
 *
 * @param {import('./sides').Side} side
 * @param {import('./scenario').Scenario} scenario
 * @param {import('./load')} driver
 * @param {{ core?: number, connections: number, rate: number | null, warmup: number, duration: number }} settings
 * @returns {Promise<object>} see `blockOf`
 */
async function measure (side, scenario, driver, settings) {
  const target = new Target(side, scenario, { core: settings.core })
  return whileAlive(target, async () => {
    const url = await target.open()
    if (settings.warmup > 0) await driver.run(scenario, url, settings.warmup, settings)
    const started = new Date().toISOString()
    await target.start()
    const load = await driver.run(scenario, url, settings.duration, settings)
    const { meter } = await target.stop()
    return { side: side.letter, started, ...blockOf(load, meter) }
  })
}

async function whileAlive (target, work) {
  try {
    return await Promise.race([work(), target.channel.died])
  } catch (error) {
    if (!(error instanceof Failure) || error.message.startsWith('s')) throw error
    throw new Failure(`side ${target.side.letter}, ${target.scenario.name}: ${error.message}`)
  } finally {
    await target.close()
  }
}

const MS = 1e6 // ns
const US = 1e3 // ns

/** The figures of a block, in the units that people read; null if unknown. */
function blockOf (load, meter) {
  const seconds = load.elapsed / 1e9
  return {
    responses: load.responses,
    elapsed: seconds, // s
    rps: load.responses / seconds, // responses/s
    throughput: load.bytes / seconds, // bytes/s, of responses
    latency: latencyOf(load.latency), // ms
    statusCodes: load.statusCodes,
    ...(meter === null ? {} : serverFigures(meter)),
    histogram: load.latency // ns, HdrHistogram V2, compressed, base64
  }
}

function serverFigures (meter) {
  return {
    cpu: meter.cpu / US, // us of CPU time per request
    cpuUser: meter.cpuUser / US,
    cpuSystem: meter.cpuSystem / US,
    utilisation: meter.utilisation, // CPU time by wall time; 1 is one busy core
    eventLoopDelay: meter.eventLoopDelayP99, // ms, 99th percentile
    gc: meter.gcTime && meter.gcTime / US, // us per request
    heap: meter.heapAllocated, // bytes per request
    rss: meter.rssPeak // bytes, at its peak
  }
}

function latencyOf (encoded) {
  const histogram = hdr.decodeFromCompressedBase64(encoded)
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

module.exports = { verify, measure, blockOf }
