'use strict'

// Verdicts and figures as text.

const { inspect } = require('node:util')
const textTable = require('../tools/text-table')
const { agreementText, levelText, targetText, targetTexts } = require('./caption')
const metrics = require('./metrics')
const percent = require('./percent')
const { profileNote, profileRows } = require('./profile')

/** The decision, by how much, and how sure it is. */
function verdictText (verdict, level) {
  const { decision, ratio, interval } = verdict
  const change = Math.abs(ratio - 1)
  const amount = change < 0.0005 ? 'the same' : `${(change * 100).toFixed(1)} % ${ratio < 1 ? 'less' : 'more'}`
  const sure = `${levelText(level)} interval ${percent.range(interval)}; ${agreementText(verdict)}`
  return `${decision}: B takes ${amount} CPU time per request (${sure})`
}

/** A figure with its unit, in as many digits as make sense. */
function figure (value, unit) {
  if (value === null) return '-'
  if (unit === 'B' || unit === 'B/s') {
    const [divisor, prefix] = value >= 1e6 ? [1e6, 'M'] : value >= 1e4 ? [1e3, 'k'] : [1, '']
    return `${(value / divisor).toFixed(divisor === 1 ? 0 : 1)} ${prefix}${unit}`
  }
  return `${value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3)} ${unit}`
}

/** @returns {[string[], string[][]]} head and rows of a table: both targets of a scenario, and the ratios */
function comparedRows ({ ratios, a, b }) {
  const rows = metrics.filter(({ key }) => ratios[key] !== null).map(({ key, label, unit }) => {
    const { ratio, interval } = ratios[key]
    const figures = [a, b].map(({ averages }) => figure(averages[key], unit))
    return [label, ...figures, percent(ratio), percent.range(interval)]
  })
  return [['', 'A', 'B', 'B compared with A', 'interval'], rows]
}

/** @returns {string[]} a line, if a parser tells which lanes bodies took */
function lanesText (lanes) {
  const told = Object.entries(lanes).filter(([, shares]) => shares !== null)
  const texts = told.map(([letter, shares]) => {
    const parts = Object.entries(shares).map(([lane, share]) => `${(share * 100).toFixed(0)} % ${lane}`)
    return `${letter.toUpperCase()} ${parts.join(', ')}`
  })
  return texts.length === 0 ? [] : [`  lanes of the bodies: ${texts.join('; ')}`]
}

function profileText ({ profile }) {
  return profile === undefined ? [] : [textTable(...profileRows(profile, 10)), `  ${profileNote(profile)}.`]
}

/** @returns {string} the figures of a single target */
function resultText (result, { verbose }) {
  const { serverResults, scenarios, resolved, serverMetadata } = result
  const shown = metrics.filter(({ detail }) => verbose || !detail)
  return scenarios.map(({ name, lanes, warnings }) => [
    `${name} (${targetText({ resolved, node: serverMetadata.node })})`,
    textTable(['', 'A'], shown.map(({ key, label, unit }) => [label, figure(serverResults[name][key], unit)])),
    ...verbose ? lanesText({ a: lanes }) : [],
    ...warnings.map((warning) => `  (${warning})`)
  ].join('\n')).join('\n\n')
}

/** @returns {string} both targets, the verdicts, and the averages in the shape of perf-wg */
function comparisonText (comparison, { verbose }) {
  const { scenarios, verdict, targets, diff, a, b, skipped } = comparison
  const lines = scenarios.flatMap((scenario) => [
    scenario.name,
    ...verbose ? [textTable(...comparedRows(scenario)), ...lanesText(scenario.lanes)] : [],
    ...scenario.warnings.map((warning) => `  (${warning})`),
    `  => ${scenario.verdict.text}`,
    ...profileText(scenario)
  ])
  return [
    ...targetTexts(targets).map((text, i) => `${'AB'[i]}: ${text}`), '',
    ...lines, '',
    ...scenarios.length > 1 ? [`All together: ${verdict.text}`, ''] : [],
    ...skipped.map(({ name, reason }) => `${name} is left out: ${reason}`),
    inspect({ diff, a: withoutAverages(a), b: withoutAverages(b) }, { depth: 3, breakLength: 100 })
  ].join('\n')
}

const withoutAverages = ({ averages, ...figures }) => figures

module.exports = { comparedRows, comparisonText, figure, resultText, verdictText }
