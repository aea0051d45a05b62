'use strict'

const path = require('node:path')
const IpcProcess = require('../../tools/ipc-process')
const UserError = require('../../tools/user-error')
const defaults = require('../defaults')
const { latencyOf } = require('../results/block')
const { decodeHistogram } = require('../results/histograms')

const PATIENCE = 180_000 // ms for a large post with the slowest strategy

/**
 * Runs a server with one strategy while it is needed.
 *
 * @template T
 * @param {import('./strategies').Strategy} strategy
 * @param {{ slice: number, nodeFlags: string[] }} settings
 * @param {'echo' | 'tail'} answer
 * @param {(server: IpcProcess, url: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withServer ({ id, name }, { slice, nodeFlags }, answer, work) {
  const orders = { strategy: id, slice, host: defaults.host, answer }
  const command = [process.execPath, ...nodeFlags, path.join(__dirname, 'server-process.js'), JSON.stringify(orders)]
  const server = new IpcProcess(`server, ${name}`, command, __dirname)
  try {
    const { port } = await server.ready(defaults.settleTime)
    return await Promise.race([work(server, `http://${defaults.host}:${port}`), server.died])
  } finally {
    await server.close()
  }
}

/** Does the strategy parse the bodies as JSON.parse does? */
function checkStrategy (strategy, load, settings) {
  return withServer(strategy, settings, 'echo', async (server, url) => {
    const { problem } = await load.ask('check', { url, megabytes: settings.megabytes }, PATIENCE)
    if (problem !== null) throw new UserError(`${strategy.name}: ${problem}`)
  })
}

/**
 * One block: a fresh server, warmed up by the load that is then measured.
 *
 * @param {import('./strategies').Strategy} strategy
 * @param {IpcProcess} load see load-process.js
 * @param {object} settings of options.js
 * @returns {Promise<object>}
 */
function measureBlock (strategy, load, settings) {
  const { megabytes, postRate, rate, warmup, seconds } = settings
  const streams = strategy.alone ? 0 : settings.streams
  return withServer(strategy, settings, 'tail', async (server, url) => {
    await load.ask('open', { url, megabytes, streams, postRate, rate, timeout: PATIENCE / 1000 }, defaults.settleTime)
    if (warmup > 0) await go(load, strategy, warmup)
    await server.ask('start', {}, PATIENCE)
    const counts = await go(load, strategy, seconds)
    const { turns } = await server.ask('stop', {}, PATIENCE)
    await load.ask('close', {}, defaults.settleTime)
    return blockOf(counts, turns)
  })
}

async function go (load, strategy, duration) {
  const counts = await load.ask('go', { duration }, duration * 1000 + PATIENCE)
  if (counts.problem !== null) throw new UserError(`${strategy.name}: ${counts.problem}`)
  return counts
}

const NS = 1e6 // in a ms

/** The figures of a block: times in ms. */
function blockOf ({ small, large, late, elapsed }, turns) {
  const posts = large.length
  return {
    elapsed,
    responses: small.responses,
    latency: latencyOf(decodeHistogram(small.latency)),
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
