'use strict'

const hdr = require('hdr-histogram-js')
const path = require('node:path')
const Channel = require('../channel')
const defaults = require('../defaults')
const Failure = require('../failure')
const { latencyOf } = require('../measure')

const PATIENCE = 180_000 // ms for a large post of the slowest

/**
 * Runs a server with one strategy while it is needed.
 *
 * @template T
 * @param {import('./strategies').Strategy} strategy
 * @param {{ slice: number, nodeFlags: string[] }} settings
 * @param {'echo' | 'tail'} answer
 * @param {(server: Channel, url: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withServer ({ id, name }, { slice, nodeFlags }, answer, work) {
  const orders = { strategy: id, slice, host: defaults.host, answer }
  const command = [process.execPath, ...nodeFlags, path.join(__dirname, 'server-process.js'), JSON.stringify(orders)]
  const server = new Channel(`server, ${name}`, command, __dirname)
  try {
    const { port } = await server.ask(null, 'ready', defaults.settleTime)
    return await Promise.race([work(server, `http://${defaults.host}:${port}`), server.died])
  } finally {
    await server.close()
  }
}

/** Does the strategy make of the bodies what JSON.parse does? */
function checkStrategy (strategy, load, settings) {
  return withServer(strategy, settings, 'echo', async (server, url) => {
    const { problem } = await load.ask({ type: 'check', url, megabytes: settings.megabytes }, 'checked', PATIENCE)
    if (problem !== null) throw new Failure(`${strategy.name}: ${problem}`)
  })
}

/**
 * One block: a fresh server, warmed up by the load that is then measured.
 *
 * @param {import('./strategies').Strategy} strategy
 * @param {Channel} load see load-process.js
 * @param {object} settings of arguments.js
 * @returns {Promise<object>}
 */
function measureBlock (strategy, load, settings) {
  const { megabytes, postRate, rate, warmup, seconds } = settings
  const streams = strategy.alone ? 0 : settings.streams
  return withServer(strategy, settings, 'tail', async (server, url) => {
    await load.ask({ type: 'open', url, megabytes, streams, postRate, rate, timeout: PATIENCE / 1000 }, 'opened', defaults.settleTime)
    if (warmup > 0) await go(load, strategy, warmup)
    await server.ask({ type: 'start' }, 'started', PATIENCE)
    const went = await go(load, strategy, seconds)
    const { turns } = await server.ask({ type: 'stop' }, 'stopped', PATIENCE)
    await load.ask({ type: 'close' }, 'closed', defaults.settleTime)
    return blockOf(went, turns)
  })
}

async function go (load, strategy, duration) {
  const went = await load.ask({ type: 'go', duration }, 'went', duration * 1000 + PATIENCE)
  if (went.problem !== null) throw new Failure(`${strategy.name}: ${went.problem}`)
  return went
}

const NS = 1e6 // in a ms

/** The figures of a block: times in ms. */
function blockOf ({ small, large, late, elapsed }, turns) {
  const posts = large.length
  return {
    elapsed,
    responses: small.responses,
    latency: latencyOf(hdr.decodeFromCompressedBase64(small.latency)),
    late: late / NS, // the load's own fault
    loadUtilisation: small.cpu / small.elapsed, // 1 is one busy core
    posts,
    postRate: posts / elapsed * 1000, // per s
    postTimes: large,
    utilisation: turns.cpu / turns.elapsed, // 1 is one busy core
    cpuPerPost: posts === 0 ? null : turns.cpu / NS / posts, // the small requests' included
    hold: turns.hold,
    holdP99: turns.holdP99,
    holdP999: turns.holdP999,
    longHolds: turns.longHolds / (turns.elapsed / 1e9), // per s
    gc: turns.gc,
    gcShare: turns.gcTime * NS / turns.elapsed,
    rss: turns.rssPeak, // bytes
    histogram: small.latency // of ns, HdrHistogram V2, compressed, base64
  }
}

module.exports = { checkStrategy, measureBlock }
