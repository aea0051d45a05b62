'use strict'

const UserError = require('../../tools/user-error')
const { metrics, primaryMetric } = require('../statistics/metrics')
const { fewestPairs } = require('../statistics/sequential')
const weighUnpaired = require('../statistics/unpaired')
const { judge, weigh } = require('../statistics/verdict')
const { sumStatusCodes } = require('./autocannon-result')
const { classicDiff, classicFigures, classicResult } = require('./classic-summary')
const { decisionCounts, verdictText } = require('./format')

const FORMAT = 'fast-body-parser/load-comparison/2'

/**
 * Compares two results. Blocks of one run are paired, as they were measured;
 * those of two runs are not, and the interval is wider.
 *
 * @param {object} a result of target A, see result.js
 * @param {object} b result of target B
 * @param {{ alpha: number, threshold: number, resamples: number, drift: number }} settings
 * @returns {object} see comparison.schema.json
 * @throws {UserError} if they cannot be compared
 */
function compareResults (a, b, settings) {
  const paired = a.run === b.run
  const both = a.scenarios.map((scenario) => ({ a: scenario, b: b.scenarios.find(({ name }) => name === scenario.name) }))
    .filter((pair) => pair.b !== undefined)
  checkComparable(a, b, both, paired)

  const samples = both.map((pair) => samplesOf(pair))
  const looks = both.map((pair) => pair.a.look)
  const evidences = samples.map((sample, i) => weighAll(sample, looks[i], paired, settings))
  const primary = primaryMetric(both.flatMap((pair) => [...pair.a.blocks, ...pair.b.blocks]), a.options.rate)
  const judgements = judge(evidences.map((evidence) => towardsLower(evidence[primary.key], primary)), settings)
  const scenarios = both.map((pair, i) => {
    const verdict = verdictOf(evidences[i][primary.key], primary, judgements[i], {
      paired,
      rounds: looks[i].pairs,
      fewest: fewestPairs(settings.alpha * looks[i].share / both.length)
    })
    return {
      name: pair.a.name,
      about: pair.a.about,
      rounds: looks[i].pairs,
      looks: looks[i].number,
      ...comparedFigures(figuresOf(a, pair.a), figuresOf(b, pair.b), verdict),
      ratios: publish(evidences[i]),
      warnings: [...pair.a.warnings, ...pair.b.warnings],
      verdict
    }
  })
  const strictest = looks.reduce((least, look) => look.share < least.share ? look : least)
  const verdict = scenarios.length === 1 ? scenarios[0].verdict : overallVerdict(scenarios, primary)
  return {
    format: FORMAT,
    paired,
    settings: { alpha: settings.alpha, threshold: settings.threshold, resamples: settings.resamples },
    targets: { a: describe(a, 'A'), b: describe(b, 'B') },
    ...comparedFigures(overall(scenarios, 'a'), overall(scenarios, 'b'), verdict),
    ratios: publish(weighAll(meanSample(samples), strictest, paired, settings)),
    verdict,
    scenarios,
    skipped: a.skipped
  }
}

const LOAD = ['connections', 'rate', 'duration', 'warmup', 'slice']

function checkComparable (a, b, both, paired) {
  if (both.length === 0) throw new UserError('the results have no scenario in common')
  for (const key of LOAD) {
    const [ours, theirs] = [a, b].map(({ options }) => options[key] ?? 'none')
    if (ours !== theirs) throw new UserError(`the load was not the same: ${key} ${ours} and ${theirs}`)
  }
  for (const pair of both) {
    const counts = [pair.a.blocks.length, pair.b.blocks.length]
    if (paired && counts[0] !== counts[1]) throw new UserError(`${pair.a.name} has ${counts.join(' and ')} blocks of one run: some are missing`)
    if (Math.min(...counts) < 2) throw new UserError(`${pair.a.name} has only one block, which says nothing about noise`)
  }
}

/** Logarithms of every metric, block by block; null where one is unknown. */
function samplesOf ({ a, b }) {
  return Object.fromEntries(metrics.map(({ key, of }) => {
    const values = { a: a.blocks.map(of), b: b.blocks.map(of) }
    const known = [...values.a, ...values.b].every((value) => value > 0)
    return [key, known ? { a: values.a.map(Math.log), b: values.b.map(Math.log) } : null]
  }))
}

/** The geometric mean over the scenarios, round by round. */
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

function weighAll (sample, look, paired, settings) {
  return Object.fromEntries(metrics.map(({ key }) => {
    if (sample[key] === null) return [key, null]
    const { a, b } = sample[key]
    const evidence = paired
      ? weigh(b.map((value, i) => value - a[i]), look, settings)
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

function verdictOf ({ ratio, low, high }, metric, { decision, p, pEquivalent }, how) {
  const interval = { low, high }
  const text = verdictText({ ratio, interval }, metric, { decision, p: decision === 'equivalent' ? pEquivalent : p, ...how })
  return { decision, metric: metric.key, ratio, interval: { ...interval, level: 0.95 }, p, pEquivalent, text }
}

function overallVerdict (scenarios, primary) {
  const decisions = new Set(scenarios.map(({ verdict }) => verdict.decision))
  const decision = decisions.size === 1 ? [...decisions][0] : 'inconclusive'
  return { decision, metric: primary.key, text: decisionCounts(scenarios) }
}

/** Averages of a scenario's blocks, and the number of responses by status. */
function figuresOf (result, { name, blocks }) {
  const { statusCodeStats } = result.clientResults.find(({ title }) => title === name)
  const statusCodes = Object.fromEntries(Object.entries(statusCodeStats).map(([code, { count }]) => [code, count]))
  return { blocks: blocks.length, averages: result.serverResults[name], statusCodes }
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
