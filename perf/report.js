'use strict'

const { readFileSync } = require('node:fs')
const path = require('node:path')
const metrics = require('./metrics')
const { primaryMetric } = require('./primary')
const driftPlot = require('./report/drift')
const forestPlot = require('./report/forest')
const latencyPlot = require('./report/latency')
const { element, escape, marker } = require('./report/svg')
const { comparedTable, loneTable, nameOf, runTable } = require('./report/tables')
const { skippedText } = require('./words')

/**
 * A page that needs nothing but itself: no script, no font, no picture from
 * anywhere.
 *
 * @param {object[]} saved results of A, or of A and B; see result.js
 * @param {object | null} comparison of both; see comparison.js
 * @returns {string} HTML
 */
function reportOf (saved, comparison) {
  const results = saved.map((result, i) => ({ ...result, side: 'AB'[i] })) // whatever they were then
  const title = comparison === null ? 'Load test' : 'Load test: side B against side A'
  const body = [
    `<h1>${title}</h1>`,
    ...(comparison === null ? [legend(results)] : comparedPart(results, comparison)),
    '<h2>Scenarios</h2>',
    element('p', { class: 'key' }, escape(skippedText((comparison ?? results[0]).skipped))),
    ...(comparison ?? results[0]).scenarios.map(({ name }, i) => scenarioPart(results, comparison, name, i === 0)),
    '<h2>What was run on what</h2>',
    runTable(results),
    data('comparison', comparison)
  ]
  return page(title, body.join('\n'))
}

function page (title, body) {
  const style = readFileSync(path.join(__dirname, 'report', 'style.css'), 'utf8')
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

function comparedPart (results, comparison) {
  const keys = new Set([comparison.verdict.metric, 'rps'])
  return [
    element('p', { class: 'verdict' }, escape(comparison.verdict.text)),
    legend(results),
    ...metrics.filter(({ key }) => keys.has(key))
      .map((metric) => `<h2>${escape(metric.label)}: B / A</h2>${forestPlot(comparison, metric)}`),
    '<p class="key">The line is the 95 % interval, repeated looks accounted for; the shaded band is the threshold within which a difference is none.</p>'
  ]
}

function legend (results) {
  const entries = results.map((result) => {
    const shape = `<svg viewBox="0 0 12 12" aria-hidden="true" style="width:12px;display:inline">${marker(result.side, 6, 6, 5, result.side)}</svg>`
    return `${shape} <b>${result.side}</b> ${escape(nameOf(result))}`
  })
  return `<p class="key">${entries.join(' &nbsp; ')}</p>`
}

function scenarioPart (results, comparison, name, open) {
  const compared = comparison?.scenarios.find((scenario) => scenario.name === name)
  const own = results.map(({ scenarios }) => scenarios.find((scenario) => scenario.name === name))
  const sides = results.map(({ side }, i) => ({ letter: side, blocks: own[i].blocks }))
  const primary = primaryMetric(sides.flatMap(({ blocks }) => blocks), results[0].options.rate)
  return `<details${open ? ' open' : ''}><summary>${escape(name)} <span>${escape(own[0].about)}</span></summary>
${compared === undefined ? '' : element('p', { class: 'verdict' }, escape(compared.verdict.text))}
${own.flatMap(({ caveats = [] }) => caveats).map((caveat) => element('p', { class: 'key' }, escape(caveat))).join('')}
${compared === undefined ? loneTable(results[0].serverResults[name]) : comparedTable(compared)}
<div class="plots">
<figure><figcaption>Latency by percentile</figcaption>${latencyPlot(sides)}</figure>
<figure><figcaption>${escape(primary.label)} (${primary.unit}), round by round</figcaption>${driftPlot(sides, primary)}</figure>
</div></details>`
}

/** The figures go with the page. */
function data (id, value) {
  return `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
}

module.exports = reportOf
