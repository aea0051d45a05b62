'use strict'

const { mediansOf } = require('../../../../perf/fairness/result')

const STRATEGIES = [['alone', 'no large posts', null, 1], ['body-parser', 'body-parser', '2.4.0', 100], ['cooperative', 'ours, <cooperative>', '1.0.0', 1.5]]

/** @returns {object} a made-up block in which all takes so long */
function block (time, posts = 10) {
  return {
    latency: { p50: time, p99: 3 * time, p99_9: 5 * time, max: 6 * time },
    late: 0.1,
    posts,
    postRate: posts / 10,
    utilisation: 0.5,
    cpuPerPost: posts === 0 ? null : 500 / posts,
    hold: 4 * time,
    holdP999: 3 * time,
    longHolds: 1,
    gc: 1,
    gcShare: 0.1,
    rss: 1e8
  }
}

/** @returns {object} as result.js makes it */
function fairness () {
  const strategies = STRATEGIES.map(([id, name, version, time]) => {
    const blocks = [block(time, id === 'alone' ? 0 : 10), block(time * 1.1, id === 'alone' ? 0 : 9)]
    return { id, name, version, medians: mediansOf(blocks), longestHold: 4.4 * time, blocks }
  })
  return {
    format: 'fast-body-parser/fairness/1',
    date: '2026-01-02T03:04:05.678Z',
    machine: { cpu: 'One <fast> & cheap', cores: 2 },
    node: 'v20.0.0',
    commit: null,
    settings: { rate: 200, megabytes: 10, streams: 2, postRate: null, seconds: 10, warmup: 2, rounds: 2, slice: 1, nodeFlags: [] },
    strategies
  }
}

module.exports = { block, fairness }
