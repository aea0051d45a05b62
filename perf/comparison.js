'use strict'

// From what was measured to files: the result of each target, and the comparison of two results.

const { mean } = require('../tools/statistics')
const metrics = require('./metrics')
const { compareProfiles } = require('./profile')
const { add, measure } = require('./session')
const { ALPHA, decide, estimate, logOfNeighbours } = require('./statistics')
const { verdictText } = require('./text')

const RESULT = 'fast-body-parser/load-result/5'
const COMPARISON = 'fast-body-parser/load-comparison/8'

/** @returns {Promise<object[]>} the result of each target, measured together: see session.js */
async function measureTargets (targets, settings, progress) {
  const session = await measure(targets, settings, progress)
  return targets.map((target) => resultOf(session, target))
}

/**
 * The result file of a target, with the fields that perf-wg's tools know: `serverMetadata`, `clientMetadata`,
 * `serverResults`, `clientResults`, `options`.
 *
 * @param {Awaited<ReturnType<import('./session').measure>>} session
 * @param {import('./targets').Target} target
 */
function resultOf ({ id, date, machine, settings, skipped, scenarios }, { letter, overrides, commit, resolved, node }) {
  const own = scenarios.map(({ lanes, trials, profiles, ...scenario }) => {
    const profile = profiles && { rounds: profiles[letter], again: letter === 'A' ? profiles.S : undefined }
    return { ...scenario, lanes: lanes[letter], trials: trials.map((trial) => trial[letter]), profile }
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
    clientResults: own.map(clientResult),
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

function clientResult ({ name, load: { connections }, trials }) {
  const averages = averagesOf(trials)
  const of = (key) => ({ average: averages[key] })
  return { title: name, connections, requests: of('rps'), throughput: of('throughput'), latency: of('latency') }
}

/**
 * Compares two results of a session. Their trials are paired, as the targets were loaded in turn.
 *
 * @param {object} a result of target A
 * @param {object} b result of target B
 * @param {{ threshold: number }} settings in %
 * @returns {object} see comparison.schema.json
 */
function compareResults (a, b, { threshold }) {
  const level = 1 - ALPHA / a.scenarios.length
  const scenarios = a.scenarios.map((scenario, i) => {
    return compareScenario(scenario, b.scenarios[i], level, threshold / 100)
  })
  const verdict = scenarios.length === 1 ? scenarios[0].verdict : overallVerdict(scenarios)
  const overall = (side) => sideOf(scenarios.map(({ [side]: { averages, status } }) => {
    return { ...averages, statusCodes: status }
  }))
  return {
    format: COMPARISON,
    settings: { level, threshold },
    targets: { a: describe(a), b: describe(b) },
    ...perfWgSummary(overall('a'), overall('b'), verdict),
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
  const { length: trials } = a.trials
  const more = logs.cpu.filter((log) => log > 0).length
  const verdict = { decision, ratio, interval, p, trials, more }
  return {
    name: a.name,
    about: a.about,
    load: { connections: a.load.connections, rate: a.load.rate, share: a.load.share ?? null },
    lanes: { a: a.lanes, b: b.lanes },
    trials: logs.cpu.map(Math.exp),
    ...perfWgSummary(sideOf(a.trials), sideOf(b.trials), verdict),
    ratios,
    ...a.profile && { profile: compareProfiles(a, b) },
    warnings: [...new Set([...a.warnings, ...b.warnings])],
    verdict: { ...verdict, text: verdictText(verdict, level) }
  }
}

/** Logarithms of B / A, trial by trial; null if a figure is unknown. */
function logsOf (a, b, key) {
  if (![...a, ...b].every((figures) => figures[key] > 0)) return null
  if (key === 'cpu') return a.map(({ samples }, i) => logOfNeighbours(samples, b[i].samples))
  return a.map((figures, i) => Math.log(b[i][key] / figures[key]))
}

function overallVerdict (scenarios) {
  const counts = scenarios.map(({ verdict: { decision } }) => ({ [decision]: 1 })).reduce(add, {})
  const [decision, ...others] = Object.keys(counts)
  const text = Object.entries(counts).map(([decision, count]) => `${decision} in ${count}`).join(', ')
  return {
    decision: others.length === 0 ? decision : 'inconclusive',
    text: `${text} of ${scenarios.length} scenarios and loads`
  }
}

const sideOf = (trials) => {
  return { averages: averagesOf(trials), status: trials.map(({ statusCodes }) => statusCodes).reduce(add, {}) }
}

/** The summary that users of perf-wg's load tests know, with the rest of our averages in `a` and `b`. */
function perfWgSummary (a, b, { decision }) {
  const round = (value) => Math.round(value * 100) / 100
  const figures = ({ averages, status }) => {
    const { rps, throughput, latency } = averages
    return { avgRPS: round(rps), avgThroughput: round(throughput), avgLatency: round(latency), status, averages }
  }
  const change = (key) => `${((b.averages[key] / a.averages[key] - 1) * 100).toFixed(2)}%`
  return {
    diff: { rps: change('rps'), throughput: change('throughput'), latency: change('latency') },
    a: figures(a),
    b: figures(b),
    result: decision.endsWith('faster') ? `${decision[0]} Wins` : 'Nobody Wins'
  }
}

function describe ({ run, date, target, options, resolved, commit, serverMetadata }) {
  return { run, date, target, overrides: options.overrides, resolved, commit, server: serverMetadata }
}

module.exports = { compareResults, measureTargets, resultOf }
