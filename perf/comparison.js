'use strict'

// From what was measured to files: the result of each target, and the comparison of two results.

const { mean } = require('../tools/statistics')
const metrics = require('./metrics')
const { add } = require('./session')
const { ALPHA, decide, estimate, hodgesLehmann } = require('./statistics')
const { verdictText } = require('./text')

const RESULT = 'fast-body-parser/load-result/5'
const COMPARISON = 'fast-body-parser/load-comparison/7'

/**
 * The result file of a target, with the fields that perf-wg's tools know: `serverMetadata`, `clientMetadata`,
 * `serverResults`, `clientResults`, `options`.
 *
 * @param {Awaited<ReturnType<import('./session').measure>>} session
 * @param {import('./targets').Target} target
 */
function resultOf ({ id, date, machine, settings, skipped, scenarios }, { letter, overrides, commit, resolved, node }) {
  const own = scenarios.map(({ lanes, trials, ...scenario }) => {
    return { ...scenario, lanes: lanes[letter], trials: trials.map((trial) => trial[letter]) }
  })
  return {
    format: RESULT,
    run: id,
    date,
    target: letter,
    serverMetadata: { ...machine, node: node.version },
    clientMetadata: { ...machine, node: process.version },
    options: { ...settings, overrides },
    commit,
    resolved,
    serverResults: Object.fromEntries(own.map(({ name, trials }) => [name, averagesOf(trials)])),
    clientResults: own.map(({ name, load, trials }) => ({ title: name, connections: load.connections, ...clientFigures(averagesOf(trials)) })),
    skipped,
    scenarios: own
  }
}

/** @returns {Record<string, number | null>} metric -> mean over the trials */
function averagesOf (trials) {
  return Object.fromEntries([...metrics.map(({ key }) => key), 'utilisation'].map((key) => {
    const values = trials.map((figures) => figures[key])
    return [key, values.includes(null) ? null : mean(values)]
  }))
}

const clientFigures = ({ rps, throughput, latency }) => ({ requests: { average: rps }, throughput: { average: throughput }, latency: { average: latency } })

/**
 * Compares two results of a session. Their trials are paired, as the targets were loaded in turn.
 *
 * @param {object} a result of target A
 * @param {object} b result of target B
 * @param {{ threshold: number }} settings in %
 * @param {object | null} [self] result of target A, measured again beside them
 * @returns {object} see comparison.schema.json
 */
function compareResults (a, b, { threshold }, self = null) {
  const level = 1 - ALPHA / a.scenarios.length
  const compareWith = (other) => a.scenarios.map((scenario, i) => compareScenario(scenario, other.scenarios[i], level, threshold / 100))
  const scenarios = compareWith(b)
  const band = self === null ? [] : compareWith(self)
  band.forEach(({ verdict: { ratio, interval, agreement } }, i) => { scenarios[i].self = { ratio, interval, agreement } })
  const verdict = scenarios.length === 1 ? scenarios[0].verdict : overallVerdict(scenarios)
  return {
    format: COMPARISON,
    settings: { level, threshold },
    targets: { a: describe(a), b: describe(b) },
    ...perfWgSummary(overall(scenarios, 'a'), overall(scenarios, 'b'), verdict),
    verdict,
    scenarios,
    skipped: a.skipped
  }
}

function compareScenario (a, b, level, threshold) {
  const logs = Object.fromEntries(metrics.map(({ key }) => [key, logsOf(a.trials, b.trials, key)]))
  const ratios = Object.fromEntries(metrics.map(({ key, unit, better }) => {
    if (logs[key] === null) return [key, null]
    const { estimate: centre, low, high, p } = estimate(logs[key], level)
    return [key, { ratio: Math.exp(centre), interval: { low: Math.exp(low), high: Math.exp(high) }, p, unit, better }]
  }))
  const { ratio, interval, p } = ratios.cpu
  const decision = decide(interval, threshold)
  const more = logs.cpu.filter((log) => log > 0).length
  const verdict = { decision, ratio, interval, p, trials: a.trials.length, agreement: `${more}+/${a.trials.length - more}-` }
  const figures = [a, b].map(({ trials }) => ({ averages: averagesOf(trials), statusCodes: trials.reduce((sums, { statusCodes }) => add(sums, statusCodes), {}) }))
  return {
    name: a.name,
    about: a.about,
    load: { connections: a.load.connections, rate: a.load.rate, share: a.load.share ?? null },
    lanes: { a: a.lanes, b: b.lanes },
    trials: logs.cpu.map(Math.exp),
    ...perfWgSummary(...figures, verdict),
    ratios,
    warnings: [...new Set([...a.warnings, ...b.warnings])],
    verdict: { ...verdict, text: verdictText(verdict, level) }
  }
}

/** Logarithms of B / A, trial by trial; null if a figure is unknown. */
function logsOf (a, b, key) {
  if (![...a, ...b].every((figures) => figures[key] > 0)) return null
  if (key !== 'cpu') return a.map((figures, i) => Math.log(b[i][key] / figures[key]))
  return a.map(({ samples }, i) => hodgesLehmann(samples.map((cpu, j) => Math.log(b[i].samples[j] / cpu))))
}

function overallVerdict (scenarios) {
  const counts = add({}, {})
  for (const { verdict: { decision } } of scenarios) add(counts, { [decision]: 1 })
  const decisions = Object.keys(counts)
  const text = Object.entries(counts).map(([decision, count]) => `${decision} in ${count}`).join(', ')
  return { decision: decisions.length === 1 ? decisions[0] : 'inconclusive', text: `${text} of ${scenarios.length} scenarios and loads` }
}

function overall (scenarios, side) {
  const targets = scenarios.map((scenario) => scenario[side])
  return { averages: averagesOf(targets.map(({ averages }) => averages)), statusCodes: targets.reduce((sums, { status }) => add(sums, status), {}) }
}

/** The summary that users of perf-wg's load tests know, with the rest of our averages in `a` and `b`. */
function perfWgSummary (a, b, { decision }) {
  const round = (value) => Math.round(value * 100) / 100
  const figures = ({ averages, statusCodes }) => ({ avgRPS: round(averages.rps), avgThroughput: round(averages.throughput), avgLatency: round(averages.latency), status: statusCodes, averages })
  const diff = Object.fromEntries(['rps', 'throughput', 'latency'].map((key) => [key, `${((b.averages[key] / a.averages[key] - 1) * 100).toFixed(2)}%`]))
  return { diff, a: figures(a), b: figures(b), result: decision.endsWith('faster') ? `${decision[0]} Wins` : 'Nobody Wins' }
}

function describe ({ run, date, target, options, resolved, commit, serverMetadata }) {
  return { run, date, target, overrides: options.overrides, resolved, commit, server: serverMetadata }
}

module.exports = { resultOf, compareResults }
