'use strict'

const { createRandom } = require('../../../../tools/random')

/** A result of 12 made-up runs of 2 blocks a scenario, with noise of 0.5 %. */
function result (target, names, { cost = 1, seed = 1, blind = false, histogram } = {}) {
  const random = createRandom(seed + (target === 'A' ? 0 : 100))
  const noisy = (value) => value * (1 + (random() - 0.5) * 0.01)
  const server = () => ({ cpu: noisy(50 * cost), eventLoopDelay: noisy(9), gc: noisy(5), heap: noisy(8000), rss: noisy(9e7) })
  const block = (run, round) => ({
    run,
    round,
    target,
    rps: noisy(20000 / cost),
    throughput: noisy(2e6 / cost),
    histogram,
    latency: { mean: noisy(2 * cost), p50: noisy(1.5 * cost), p99: noisy(9 * cost) },
    ...(blind ? {} : server())
  })
  return {
    run: 'this one',
    target,
    options: { duration: 1, lead: 0.3, warmup: 12, runs: 12, rounds: 2, overrides: target === 'A' ? {} : { 'body-parser': '2.4.0' } },
    resolved: { 'body-parser': { name: 'body-parser', version: '2.4.0', integrity: 'sha512-x' } },
    commit: null,
    serverMetadata: { node: 'v20.0.0', cpu: 'One <fast> & cheap', cores: 2 },
    serverResults: Object.fromEntries(names.map((name) => [name, blind
      ? { cpu: null, rps: 20000, throughput: 2e6, latency: 2, utilisation: null }
      : { cpu: 50 * cost, rps: 20000, throughput: 2e6, latency: 2, latencyP50: 1, latencyP99: 9, eventLoopDelay: 9, gc: 5, heap: 8000, rss: 9e7, utilisation: 0.95 }])),
    clientResults: names.map((title) => ({ title, statusCodeStats: { 200: { count: 12000 } } })),
    skipped: [],
    scenarios: names.map((name) => ({
      name,
      about: `scenario ${name}`,
      warnings: [],
      load: { connections: 50, rate: null, share: null },
      runs: Array.from({ length: 12 }, (_, i) => ({ run: i + 1, steadyAfter: { seconds: 1.2, requests: 20_000 }, blocks: 2 })),
      blocks: Array.from({ length: 24 }, (_, i) => block(Math.floor(i / 2) + 1, i % 2 + 1))
    }))
  }
}

module.exports = result
