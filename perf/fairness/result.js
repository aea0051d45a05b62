'use strict'

const path = require('node:path')
const { describeCommit, describeMachine } = require('../../tools/machine')
const { installedPackages } = require('../../tools/npm')
const { median } = require('../../tools/statistics')

const ROOT = path.join(__dirname, '../..')
const FORMAT = 'fast-body-parser/fairness/1'

/** The figures of a strategy: of each, the median of its blocks. */
const FIGURES = {
  p50: ({ latency }) => latency.p50,
  p99: ({ latency }) => latency.p99,
  p99_9: ({ latency }) => latency.p99_9,
  max: ({ latency }) => latency.max,
  ...Object.fromEntries(['late', 'postRate', 'utilisation', 'cpuPerPost', 'hold', 'holdP999', 'longHolds', 'gc', 'gcShare', 'rss']
    .map((key) => [key, (block) => block[key]]))
}

/**
 * @param {import('./strategies').Strategy[]} strategies
 * @param {Record<string, object[]>} blocks by the strategies' ids
 * @param {object} settings of options.js
 * @returns {object} the content of the file
 */
function resultOf (strategies, blocks, settings) {
  const { only, json, summary, chart, from, help, ...load } = settings
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
    const values = blocks.map(of).filter((value) => value !== null)
    return [key, values.length === 0 ? null : median(values)]
  }))
}

/** @returns {object} the result without its blocks */
function summaryOf (result) {
  return { ...result, strategies: result.strategies.map(({ blocks, ...strategy }) => strategy) }
}

module.exports = { resultOf, mediansOf, summaryOf, FORMAT }
