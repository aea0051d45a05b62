'use strict'

const { readFileSync } = require('node:fs')
const path = require('node:path')
const { skippedText, targetText } = require('../results/format')
const { metrics, primaryMetric } = require('../statistics/metrics')
const { driftChart, forestChart, latencyChart } = require('./charts')
const { averagesTable, comparedRows, escape, paragraph, runTable, table } = require('./html')
const { counts } = require('../results/result')
const { ratiosOf } = require('../results/summary')

const SYMBOLS = { A: '●', B: '◆' }

/**
 * A self-contained page: it loads no script, font or image.
 *
 * @param {object[]} saved results of A, or of A and B; see results/result.js
 * @param {object | null} comparison of both; see results/comparison.js
 * @returns {string} HTML
 */
module.exports = function reportPage (saved, comparison) {
  const results = saved.map((result, i) => ({ ...result, target: 'AB'[i] })) // whatever they were in their own runs
  const title = comparison === null ? 'Load test' : 'Load test: target B against target A'
  const { scenarios, skipped } = comparison ?? results[0]
  return page(title, [
    `<h1>${title}</h1>`,
    ...(comparison === null ? [legend(results)] : comparisonPart(results, comparison)),
    '<h2>Scenarios</h2>',
    paragraph('key', skippedText(skipped)),
    ...scenarios.map(({ name }, i) => scenarioPart(results, comparison, name, i === 0)),
    '<h2>What was run on what</h2>',
    runTable(results),
    `<script type="application/json" id="comparison">${JSON.stringify(comparison).replaceAll('<', '\\u003c')}</script>`
  ].join('\n'))
}

function page (title, body) {
  const style = readFileSync(path.join(__dirname, 'style.css'), 'utf8')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>
${style}</style>
</head>
<body>
${body}
</body>
</html>
`
}

function comparisonPart (results, comparison) {
  const keys = new Set([comparison.verdict.metric, 'rps'])
  const shown = metrics.filter(({ key }) => keys.has(key))
  return [
    paragraph('verdict', comparison.verdict.text),
    legend(results),
    `<h2>B / A: ${shown.map(({ label }) => escape(label)).join(', ')}</h2>`,
    `<figure>${forestChart(ratiosOf(comparison), shown, comparison.settings)}</figure>`,
    paragraph('key', 'A line is the 95 % interval, over runs with new processes; differences within the shaded band do not matter.')
  ]
}

function legend (results) {
  const entries = results.map((result) =>
    `<span class="${result.target.toLowerCase()}">${SYMBOLS[result.target]}</span> <b>${result.target}</b> ${escape(targetText(result))}`)
  return `<p class="key">${entries.join(' &nbsp; ')}</p>`
}

function scenarioPart (results, comparison, name, open) {
  const compared = comparison?.scenarios.find((scenario) => scenario.name === name)
  const own = results.map(({ scenarios }) => scenarios.find((scenario) => scenario.name === name))
  const targets = results.map(({ target }, i) => ({ letter: target, blocks: own[i].blocks.filter(counts) }))
  const primary = primaryMetric(targets.flatMap(({ blocks }) => blocks), own[0].load.rate)
  return `<details${open ? ' open' : ''}><summary>${escape(name)} <span>${escape(own[0].about)}</span></summary>
${compared === undefined ? '' : paragraph('verdict', compared.verdict.text)}
${own.flatMap(({ warnings }) => warnings).map((warning) => paragraph('key', warning)).join('')}
${compared === undefined ? averagesTable(results[0].serverResults[name]) : comparedTable(compared)}
<div class="plots">
<figure><figcaption>Latency by percentile</figcaption>${latencyChart(targets)}</figure>
<figure><figcaption>${escape(primary.label)} (${primary.unit}), round by round</figcaption>${driftChart(targets, primary)}</figure>
</div></details>`
}

function comparedTable (compared) {
  const { head, rows } = comparedRows(compared)
  return table(head, rows)
}
