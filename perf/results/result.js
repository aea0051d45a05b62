'use strict'

const autocannon = require('autocannon/package.json')
const { describeMachine } = require('../../tools/machine')
const { metrics } = require('../statistics/metrics')
const autocannonResult = require('./autocannon-result')
const warningsOf = require('./warnings')

const FORMAT = 'fast-body-parser/load-result/2'

/**
 * The result file of one target: the fields that perf-wg's tools know
 * (`serverMetadata`, `clientMetadata`, `serverResults`, `clientResults`,
 * `options`), and our own blocks in `scenarios`.
 *
 * @param {object} run id, settings, scenarios, skipped, cores
 * @param {import('../targets/install').Target} target
 * @param {Record<string, { blocks: object[], look: object }>} measured
 * @param {Record<string, Record<string, object[]>>} loaded
 * @returns {object}
 */
function resultOf ({ id, settings, scenarios, skipped, cores }, target, measured, loaded) {
  const blocksOf = (name) => measured[name].blocks.filter((block) => block.target === target.letter)
  const averages = Object.fromEntries(scenarios.map(({ name }) => [name, averagesOf(blocksOf(name))]))
  const clientResults = scenarios.map(({ name }) => autocannonResult(name, blocksOf(name), settings))
  return {
    format: FORMAT,
    run: id,
    target: target.letter,
    serverMetadata: target.url === undefined
      ? { ...describeMachine(), node: target.node.version, core: cores?.server ?? null }
      : { url: target.url, node: target.node.version },
    clientMetadata: { ...describeMachine(), node: process.version, core: cores?.driver ?? null, autocannon: autocannon.version },
    options: { ...settings, overrides: target.overrides },
    commit: target.commit,
    resolved: target.resolved,
    installed: Object.fromEntries(Object.entries(target.apps).map(([app, { packages }]) => [app, packages])),
    serverResults: averages,
    clientResults,
    skipped,
    ...(clientResults.length === 1 ? topLevel(clientResults[0]) : {}),
    scenarios: scenarios.map(({ name, about, app }) => ({
      name,
      about,
      app,
      loaded: loaded[name][target.letter].filter((copy) => copy.name in target.resolved),
      look: measured[name].look,
      warnings: warningsOf(target.letter, averages[name], blocksOf(name), settings),
      blocks: blocksOf(name)
    }))
  }
}

/** Not merits of a target, but they tell what limits the others. */
const LIMITS = [
  { key: 'utilisation', of: (block) => block.utilisation },
  { key: 'driverUtilisation', of: (block) => block.driverUtilisation }
]

/** Where the command line of autocannon-compare looks for them. */
function topLevel ({ requests, throughput, latency, duration }) {
  return { requests, throughput, latency, duration }
}

/** @returns {Record<string, number | null>} metric -> mean over the blocks */
function averagesOf (blocks) {
  const averages = {}
  for (const { key, of } of [...metrics, ...LIMITS]) {
    const values = blocks.map(of).filter(Number.isFinite)
    averages[key] = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
  }
  return averages
}

module.exports = { resultOf, FORMAT }
