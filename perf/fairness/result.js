'use strict'

const path = require('node:path')
const { describeCommit, describeMachine } = require('../machine')
const { installedPackages } = require('../npm')
const { quantile } = require('../stats')

const ROOT = path.join(__dirname, '../..')
const FORMAT = 'fast-body-parser/fairness/1'

/** What is told of a strategy: the median of its blocks, each of which is one number. */
const FIGURES = {
  p50: ({ latency }) => latency.p50,
  p99: ({ latency }) => latency.p99,
  p99_9: ({ latency }) => latency.p99_9,
  max: ({ latency }) => latency.max,
  late: ({ late }) => late,
  postRate: ({ postRate }) => postRate,
  utilisation: ({ utilisation }) => utilisation,
  cpuPerPost: ({ cpuPerPost }) => cpuPerPost,
  hold: ({ hold }) => hold,
  holdP999: ({ holdP999 }) => holdP999,
  longHolds: ({ longHolds }) => longHolds,
  gc: ({ gc }) => gc,
  gcShare: ({ gcShare }) => gcShare,
  rss: ({ rss }) => rss
}

/**
 * @param {import('./strategies').Strategy[]} strategies
 * @param {Record<string, object[]>} blocks by the strategies' ids
 * @param {object} settings of arguments.js
 * @returns {object} what goes into the file
 */
function resultOf (strategies, blocks, settings) {
  const { only, json, picture, from, help, ...load } = settings
  const { version } = require('../../package.json')
  const installed = installedPackages(path.join(__dirname, '..'))
  return {
    format: FORMAT,
    date: new Date().toISOString(),
    machine: describeMachine(),
    node: process.version,
    commit: describeCommit(ROOT),
    settings: load,
    strategies: strategies.map(({ id, name, package: from }) => ({
      id,
      name,
      version: from === undefined ? (name.startsWith('ours') ? version : null) : installed[`node_modules/${from}`].version,
      medians: mediansOf(blocks[id]),
      longestHold: Math.max(...blocks[id].map(({ hold }) => hold)), // ms, of all blocks
      blocks: blocks[id]
    }))
  }
}

/** null where a block had nothing to measure. */
function mediansOf (blocks) {
  return Object.fromEntries(Object.entries(FIGURES).map(([key, of]) => {
    const values = blocks.map(of).filter((value) => value !== null).sort((a, b) => a - b)
    return [key, values.length === 0 ? null : quantile(values, 0.5)]
  }))
}

module.exports = { resultOf, mediansOf, FORMAT }
