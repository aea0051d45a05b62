'use strict'

const { mean, standardDeviation } = require('../../tools/statistics')
const UserError = require('../../tools/user-error')
const { centre } = require('../statistics/estimates')
const { metrics, primaryMetric } = require('../statistics/metrics')
const weighUnpaired = require('../statistics/unpaired')
const { judge, weigh } = require('../statistics/verdict')
const { sumStatusCodes } = require('./autocannon-result')
const { classicDiff, classicFigures, classicResult } = require('./classic-summary')
const { decisionCounts, verdictText } = require('./format')
const { counts } = require('./result')

const FORMAT = 'fast-body-parser/load-comparison/3'

/**
 * Compares two results. A value is that of a run, with new processes and a new
 * warm-up: thousands of requests in one process are not thousands of proofs.
 * The runs of one session are paired, as both targets were measured
 * alternately; those of two sessions are not, and the interval is wider.
 *
 * @param {object} a result of target A, see result.js
 * @param {object} b result of target B
 * @param {{ alpha: number, threshold: number, drift: number }} settings
 * @returns {object} see comparison.schema.json
 * @throws {UserError} if they cannot be compared
 */
function compareResults (a, b, settings) {
  const paired = a.run === b.run
  const both = a.scenarios.map((scenario) => ({ a: scenario, b: b.scenarios.find(({ name }) => name === scenario.name) }))
    .filter((pair) => pair.b !== undefined)
  checkComparable(a, b, both, paired)

  const samples = both.map((pair) => samplesOf(pair, paired))
  const evidences = samples.map((sample) => weighAll(sample, paired, settings))
  const primaries = both.map((pair) => primaryMetric([...pair.a.blocks, ...pair.b.blocks], pair.a.load.rate))
  const judgements = judge(evidences.map((evidence, i) => towardsLower(evidence[primaries[i].key], primaries[i])), settings)
  const scenarios = both.map((pair, i) => {
    const runs = paired ? runsOf(pair, samples[i][primaries[i].key]) : null
    const verdict = verdictOf(evidences[i][primaries[i].key], primaries[i], judgements[i], { paired, runs })
    return {
      name: pair.a.name,
      about: pair.a.about,
      load: pair.a.load,
      runs,
      ...comparedFigures(figuresOf(a, pair.a), figuresOf(b, pair.b), verdict),
      ratios: publish(evidences[i]),
      warnings: [...pair.a.warnings, ...pair.b.warnings],
      verdict
    }
  })
  const verdict = scenarios.length === 1 ? scenarios[0].verdict : overallVerdict(scenarios)
  return {
    format: FORMAT,
    paired,
    settings: { alpha: settings.alpha, threshold: settings.threshold },
    targets: { a: describe(a, 'A'), b: describe(b, 'B') },
    ...comparedFigures(overall(scenarios, 'a'), overall(scenarios, 'b'), verdict),
    ratios: publish(weighAll(meanSample(samples), paired, settings)),
    verdict,
    scenarios,
    skipped: a.skipped
  }
}

function checkComparable (a, b, both, paired) {
  if (both.length === 0) throw new UserError('the results have no scenario and load in common')
  for (const key of ['duration', 'lead']) {
    const [ours, theirs] = [a, b].map(({ options }) => options[key])
    if (ours !== theirs) throw new UserError(`the load was not the same: ${key} ${ours} and ${theirs}`)
  }
  for (const pair of both) {
    const rates = [pair.a.load.rate, pair.b.load.rate]
    if (rates[0] !== rates[1]) throw new UserError(`the load was not the same: ${pair.a.name} has ${rates.join(' and ')} requests/s; --rate sets it`)
    const blocks = [pair.a, pair.b].map((one) => one.blocks.filter(counts).length)
    if (paired && blocks[0] !== blocks[1]) throw new UserError(`${pair.a.name} has ${blocks.join(' and ')} blocks of one session: some are missing`)
    const runs = Math.min(...[pair.a, pair.b].map((one) => runNumbers(one).length))
    if (runs < 2) throw new UserError(`${pair.a.name} has only one run, which says nothing about the next`)
  }
}

/** The runs with blocks that count. */
function runNumbers ({ blocks }) {
  return [...new Set(blocks.filter(counts).map(({ run }) => run))]
}

/**
 * Logarithms of every metric, run by run; null where one is unknown. `rounds`:
 * those of B / A, round by round, in each run.
 */
function samplesOf (pair, paired) {
  return Object.fromEntries(metrics.map(({ key, of }) => {
    const [a, b] = [pair.a, pair.b].map((one) => runNumbers(one).map((run) => one.blocks.filter((block) => block.run === run && counts(block)).map(of)))
    if (![...a, ...b].flat().every((value) => value > 0)) return [key, null]
    const logs = { a: a.map((values) => values.map(Math.log)), b: b.map((values) => values.map(Math.log)) }
    const means = { a: logs.a.map(mean), b: logs.b.map(mean) }
    if (!paired) return [key, means]
    const rounds = logs.a.map((values, i) => values.map((value, j) => logs.b[i][j] - value))
    return [key, { a: means.a, b: means.a.map((value, i) => value + centre(rounds[i])), rounds }]
  }))
}

/** What each run says by itself, and when its servers became steady. */
function runsOf (pair, { a, b, rounds }) {
  return runNumbers(pair.a).map((run, i) => {
    const [ofA, ofB] = [pair.a, pair.b].map((one) => one.runs.find((other) => other.run === run))
    return { run, ratio: Math.exp(b[i] - a[i]), rounds: rounds[i].map(Math.exp), steadyAfter: { A: ofA.steadyAfter, B: ofB.steadyAfter } }
  })
}

/** The geometric mean over the scenarios, run by run. */
function meanSample (samples) {
  return Object.fromEntries(metrics.map(({ key }) => {
    const known = samples.map((sample) => sample[key])
    if (known.includes(null)) return [key, null]
    return [key, { a: meanOf(known.map(({ a }) => a)), b: meanOf(known.map(({ b }) => b)) }]
  }))
}

function meanOf (lists) {
  const length = Math.min(...lists.map((list) => list.length))
  return Array.from({ length }, (_, i) => lists.reduce((sum, list) => sum + list[i], 0) / lists.length)
}

function weighAll (sample, paired, settings) {
  return Object.fromEntries(metrics.map(({ key }) => {
    if (sample[key] === null) return [key, null]
    const { a, b } = sample[key]
    const evidence = paired
      ? weigh(b.map((value, i) => value - a[i]), settings)
      : weighUnpaired(a, b, settings)
    return [key, evidence]
  }))
}

/** Verdicts are about something that is better when lower. */
function towardsLower (evidence, { better }) {
  if (better === 'lower') return evidence
  return { ...evidence, ratio: 1 / evidence.ratio, low: 1 / evidence.high, high: 1 / evidence.low }
}

function publish (evidence) {
  return Object.fromEntries(metrics.map(({ key, unit, better }) => {
    if (evidence[key] === null) return [key, null]
    const { ratio, low, high, p } = evidence[key]
    return [key, { ratio, interval: { low, high, level: 0.95 }, p, unit, better }]
  }))
}

function verdictOf ({ ratio, low, high }, metric, { decision, p, pEquivalent }, { paired, runs }) {
  const interval = { low, high }
  const range = paired ? { low: Math.min(...runs.map((run) => run.ratio)), high: Math.max(...runs.map((run) => run.ratio)) } : null
  const spread = paired ? 100 * standardDeviation(runs.map((run) => Math.log(run.ratio))) : null
  const text = verdictText({ ratio, interval, range }, metric, { decision, p: decision === 'equivalent' ? pEquivalent : p, runs: runs?.length })
  return { decision, metric: metric.key, ratio, interval: { ...interval, level: 0.95 }, range, spread, p, pEquivalent, text }
}

function overallVerdict (scenarios) {
  const decisions = new Set(scenarios.map(({ verdict }) => verdict.decision))
  const decision = decisions.size === 1 ? [...decisions][0] : 'inconclusive'
  return { decision, metric: scenarios[0].verdict.metric, text: decisionCounts(scenarios) }
}

/** Averages of a scenario's blocks, and the number of responses by status. */
function figuresOf (result, { name, blocks }) {
  const { statusCodeStats } = result.clientResults.find(({ title }) => title === name)
  const statusCodes = Object.fromEntries(Object.entries(statusCodeStats).map(([code, { count }]) => [code, count]))
  return { blocks: blocks.filter(counts).length, averages: result.serverResults[name], statusCodes }
}

function overall (scenarios, letter) {
  const targets = scenarios.map((scenario) => scenario[letter])
  const averages = Object.fromEntries(Object.keys(targets[0].averages).map((key) => {
    const values = targets.map((target) => target.averages[key])
    return [key, values.includes(null) ? null : values.reduce((sum, value) => sum + value, 0) / values.length]
  }))
  const statusCodes = sumStatusCodes(targets.map(({ status }) => ({ statusCodes: status })))
  return { blocks: targets.reduce((sum, { blocks }) => sum + blocks, 0), averages, statusCodes }
}

/** The classic summary, with the rest of our figures in `a` and `b`. */
function comparedFigures (a, b, { decision }) {
  return {
    diff: classicDiff(a.averages, b.averages),
    a: { ...classicFigures(a), blocks: a.blocks, averages: a.averages },
    b: { ...classicFigures(b), blocks: b.blocks, averages: b.averages },
    result: classicResult(decision)
  }
}

function describe ({ run, options, resolved, commit, serverMetadata }, target) {
  return { run, target, overrides: options.overrides, resolved, commit, server: serverMetadata }
}

module.exports = { compareResults, FORMAT }
