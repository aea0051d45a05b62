'use strict'

const autocannon = require('autocannon/package.json')
const { describeMachine } = require('../../tools/machine')
const { metrics } = require('../statistics/metrics')
const autocannonResult = require('./autocannon-result')
const warningsOf = require('./warnings')

const FORMAT = 'fast-body-parser/load-result/3'

/**
 * A scenario with a load: what is compared.
 *
 * @typedef {{ name: string, scenario: import('../scenarios').Scenario, load: object }} Entry
 */

/**
 * @param {import('../scenarios').Scenario[]} scenarios
 * @param {object} settings
 * @param {Record<string, { runs: object[], blocks: object[] }>} measured by scenario
 * @returns {{ entries: Entry[], skipped: { name: string, reason: string }[] }} skipped
 *   are those with blocks that count in too few runs
 */
function entriesOf (scenarios, { loads, fewestRuns }, measured) {
  const all = scenarios.flatMap((scenario) => loads.map((load) => ({ name: `${scenario.name}, ${load.name}`, scenario, load })))
  const runsOf = ({ scenario, load }) => new Set(measured[scenario.name].blocks.filter((block) => block.load === load.name && counts(block)).map(({ run }) => run)).size
  const entries = all.filter((entry) => runsOf(entry) >= fewestRuns)
  const skipped = all.filter((entry) => !entries.includes(entry))
    .map((entry) => ({ name: entry.name, reason: `${runsOf(entry)} runs have blocks that are steady, and ${fewestRuns} are needed` }))
  return { entries, skipped }
}

/** Is the block steady, and does it agree with the others? */
function counts ({ excluded }) {
  return excluded === undefined
}

/**
 * The result file of one target: the fields that perf-wg's tools know
 * (`serverMetadata`, `clientMetadata`, `serverResults`, `clientResults`,
 * `options`), and our own runs and blocks in `scenarios`.
 *
 * @param {object} session id, settings, entries, skipped, cores
 * @param {import('../targets/install').Target} target
 * @param {Record<string, { runs: object[], blocks: object[] }>} measured
 * @param {Record<string, Record<string, object[]>>} loaded
 * @returns {object}
 */
function resultOf ({ id, settings, entries, skipped, cores }, target, measured, loaded) {
  const own = entries.map(({ name, scenario, load }) => {
    const blocks = measured[scenario.name].blocks.filter((block) => block.load === load.name && block.target === target.letter)
    const counted = blocks.filter(counts)
    const runs = measured[scenario.name].runs.map(({ run, warmUp }) =>
      ({ run, steadyAfter: warmUp[target.letter], blocks: counted.filter((block) => block.run === run).length }))
    return { name, scenario, load, blocks, counted, runs }
  })
  const averages = Object.fromEntries(own.map(({ name, counted }) => [name, averagesOf(counted)]))
  const clientResults = own.map(({ name, load, counted }) => autocannonResult(name, counted, load))
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
    scenarios: own.map(({ name, scenario, load: { name: loadName, connections, share = null }, blocks, counted, runs }) => {
      const load = { connections, rate: counted[0].rate, share }
      return {
        name,
        about: `${scenario.about}; ${loadName}`,
        app: scenario.app,
        load,
        loaded: loaded[scenario.name][target.letter].filter((copy) => copy.name in target.resolved),
        warnings: warningsOf(target.letter, averages[name], blocks, load, runs),
        runs,
        blocks
      }
    })
  }
}

/** Where the command line of autocannon-compare looks for them. */
function topLevel ({ requests, throughput, latency, duration }) {
  return { requests, throughput, latency, duration }
}

/** @returns {Record<string, number | null>} metric -> mean over the blocks */
function averagesOf (blocks) {
  const averages = {}
  const utilisation = { key: 'utilisation', of: (block) => block.utilisation } // no merit, but it tells what limits the others
  for (const { key, of } of [...metrics, utilisation]) {
    const values = blocks.map(of).filter(Number.isFinite)
    averages[key] = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
  }
  return averages
}

module.exports = { entriesOf, resultOf, counts, FORMAT }
