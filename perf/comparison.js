'use strict'

const { weighApart } = require('./apart')
const Failure = require('./failure')
const { fewestPairs } = require('./looks')
const metrics = require('./metrics')
const { primaryMetric } = require('./primary')
const countStatusCodes = require('./status-codes')
const { judge, weigh } = require('./verdict')
const { sentence, summary } = require('./words')

const FORMAT = 'fast-body-parser/load-comparison/1'

/**
 * Compares two results. Blocks of one run are paired, as they were measured;
 * those of two runs are not, and get no more trust than that deserves.
 *
 * @param {object} a result of side A, see result.js
 * @param {object} b result of side B
 * @param {{ alpha: number, threshold: number, resamples: number, drift: number }} settings
 * @returns {object} see schema/comparison.json
 * @throws {Failure} if they cannot be compared
 */
function compareResults (a, b, settings) {
  const paired = a.run === b.run
  const both = a.scenarios.map((scenario) => ({ a: scenario, b: b.scenarios.find(({ name }) => name === scenario.name) }))
    .filter((pair) => pair.b !== undefined)
  checkComparable(a, b, both, paired)

  const samples = both.map((pair) => samplesOf(pair))
  const looks = both.map((pair) => pair.a.look)
  const diffs = samples.map((sample, i) => diffOf(sample, looks[i], paired, settings))
  const primary = primaryMetric(both.flatMap((pair) => [...pair.a.blocks, ...pair.b.blocks]), a.options.rate)
  const verdicts = judge(diffs.map((diff) => towardsLower(diff[primary.key], primary)), settings)
  const scenarios = both.map((pair, i) => ({
    name: pair.a.name,
    about: pair.a.about,
    rounds: looks[i].pairs,
    looks: looks[i].number,
    diff: publish(diffs[i]),
    a: sideOf(a, pair.a),
    b: sideOf(b, pair.b),
    caveats: [pair.a, pair.b].flatMap(({ caveats }) => caveats ?? []), // none in a result of an earlier version
    verdict: verdictOf(diffs[i][primary.key], primary, verdicts[i], {
      paired,
      rounds: looks[i].pairs,
      fewest: fewestPairs(settings.alpha * looks[i].share / both.length)
    })
  }))
  const strictest = looks.reduce((least, look) => look.share < least.share ? look : least)
  return {
    format: FORMAT,
    paired,
    settings: { alpha: settings.alpha, threshold: settings.threshold, resamples: settings.resamples },
    sides: { a: describe(a, 'A'), b: describe(b, 'B') },
    diff: publish(diffOf(meanSample(samples), strictest, paired, settings)),
    a: overall(scenarios, 'a'),
    b: overall(scenarios, 'b'),
    verdict: scenarios.length === 1 ? scenarios[0].verdict : overallVerdict(scenarios, primary),
    scenarios,
    skipped: a.skipped ?? []
  }
}

const LOAD = ['connections', 'rate', 'duration', 'warmup', 'slice']

function checkComparable (a, b, both, paired) {
  if (both.length === 0) throw new Failure('the results have no scenario in common')
  for (const key of LOAD) {
    const [ours, theirs] = [a, b].map(({ options }) => options[key] ?? 'none')
    if (ours !== theirs) throw new Failure(`the load was not the same: ${key} ${ours} and ${theirs}`)
  }
  for (const pair of both) {
    const counts = [pair.a.blocks.length, pair.b.blocks.length]
    if (paired && counts[0] !== counts[1]) throw new Failure(`${pair.a.name} has ${counts.join(' and ')} blocks of one run: some are missing`)
    if (Math.min(...counts) < 2) throw new Failure(`${pair.a.name} has one block only, which says nothing about noise`)
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

function diffOf (sample, look, paired, settings) {
  return Object.fromEntries(metrics.map(({ key }) => {
    if (sample[key] === null) return [key, null]
    const { a, b } = sample[key]
    const evidence = paired
      ? weigh(b.map((value, i) => value - a[i]), look, settings)
      : weighApart(a, b, settings)
    return [key, evidence]
  }))
}

/** Verdicts are about something that is better when lower. */
function towardsLower (evidence, { better }) {
  if (better === 'lower') return evidence
  return { ...evidence, ratio: 1 / evidence.ratio, low: 1 / evidence.high, high: 1 / evidence.low }
}

function publish (diff) {
  return Object.fromEntries(metrics.map(({ key, unit, better }) => {
    if (diff[key] === null) return [key, null]
    const { ratio, low, high, p } = diff[key]
    return [key, { ratio, interval: { low, high, level: 0.95 }, p, unit, better }]
  }))
}

function verdictOf ({ ratio, low, high }, metric, { decision, p, pEquivalent }, how) {
  const interval = { low, high }
  const text = sentence({ ratio, interval }, metric, { decision, p: decision === 'equivalent' ? pEquivalent : p, ...how })
  return { decision, metric: metric.key, ratio, interval: { ...interval, level: 0.95 }, p, pEquivalent, text }
}

function overallVerdict (scenarios, primary) {
  const decisions = new Set(scenarios.map(({ verdict }) => verdict.decision))
  const decision = decisions.size === 1 ? [...decisions][0] : 'inconclusive'
  return { decision, metric: primary.key, text: summary(scenarios) }
}

/** Averages of a scenario's blocks, and how many responses of each status there were. */
function sideOf (result, { name, blocks }) {
  const { statusCodeStats } = result.clientResults.find(({ title }) => title === name)
  const statusCodes = Object.fromEntries(Object.entries(statusCodeStats).map(([code, { count }]) => [code, count]))
  return { blocks: blocks.length, averages: result.serverResults[name], statusCodes }
}

function overall (scenarios, letter) {
  const sides = scenarios.map((scenario) => scenario[letter])
  const averages = Object.fromEntries(Object.keys(sides[0].averages).map((key) => {
    const values = sides.map((side) => side.averages[key])
    return [key, values.includes(null) ? null : values.reduce((sum, value) => sum + value, 0) / values.length]
  }))
  return { blocks: sides.reduce((sum, { blocks }) => sum + blocks, 0), averages, statusCodes: countStatusCodes(sides) }
}

function describe ({ run, options, told, commit, serverMetadata }, side) {
  return { run, side, overrides: options.overrides, told, commit, server: serverMetadata }
}

module.exports = { compareResults, FORMAT }
