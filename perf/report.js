'use strict'

const { readFileSync } = require('node:fs')
const path = require('node:path')
const metrics = require('./metrics')
const driftPlot = require('./report/drift')
const forestPlot = require('./report/forest')
const latencyPlot = require('./report/latency')
const { element, escape, marker } = require('./report/svg')
const { figure, percent, pText } = require('./words')

/**
 * A page that needs nothing but itself: no script, no font, no picture from
 * anywhere.
 *
 * @param {object} comparison see comparison.js
 * @param {object[]} results A and B
 * @returns {string} HTML
 */
function reportOf (comparison, [a, b]) {
  const primary = metrics.find(({ key }) => key === comparison.verdict.metric)
  const forests = [...new Set([primary, metrics.find(({ key }) => key === 'rps')])]
  const body = [
    '<h1>Load test: side B against side A</h1>',
    element('p', { class: 'verdict' }, escape(comparison.verdict.text)),
    legend(comparison),
    ...forests.map((metric) => `<h2>${escape(metric.label)}: B / A</h2>${forestPlot(comparison, metric)}`),
    '<p class="key">The line is the 95 % interval, repeated looks accounted for; the shaded band is the threshold within which a difference is none.</p>',
    '<h2>Scenarios</h2>',
    ...comparison.scenarios.map((scenario, i) => scenarioPart(scenario, find(a, scenario), find(b, scenario), primary, i === 0)),
    '<h2>What was run on what</h2>',
    runTable(comparison, [a, b]),
    `<script type="application/json" id="comparison">${JSON.stringify(comparison).replaceAll('<', '\\u003c')}</script>`
  ]
  return page(body.join('\n'))
}

function find ({ scenarios }, { name }) {
  return scenarios.find((scenario) => scenario.name === name)
}

function page (body) {
  const style = readFileSync(path.join(__dirname, 'report', 'style.css'), 'utf8')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Load test: side B against side A</title>
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

function legend ({ sides }) {
  const entries = [['A', sides.a], ['B', sides.b]].map(([letter, side]) =>
    `<svg viewBox="0 0 12 12" aria-hidden="true" style="width:12px;display:inline">${marker(letter, 6, 6, 5, letter)}</svg> <b>${letter}</b> ${escape(nameOf(side))}`)
  return `<p class="key">${entries.join(' &nbsp; ')}</p>`
}

function nameOf ({ told, server }) {
  const packages = Object.entries(told).map(([name, { name: real, version }]) => `${name} = ${real} ${version}`)
  return server.url ?? [...packages, `Node.js ${server.node}`].join(', ')
}

function scenarioPart (scenario, a, b, primary, open) {
  const { name, about, verdict } = scenario
  return `<details${open ? ' open' : ''}><summary>${escape(name)} <span>${escape(about)}</span></summary>
<p class="verdict">${escape(verdict.text)}</p>
<div class="scroll">${metricTable(scenario)}</div>
<div class="plots">
<figure><figcaption>Latency by percentile</figcaption>${latencyPlot(a, b)}</figure>
<figure><figcaption>${escape(primary.label)} (${primary.unit}), round by round</figcaption>${driftPlot(a, b, primary)}</figure>
</div></details>`
}

function metricTable ({ diff, a, b }) {
  const rows = metrics.filter(({ key }) => diff[key] !== null).map(({ key, label, unit }) => {
    const { ratio, interval, p } = diff[key]
    return [label, figure(a.averages[key], unit), figure(b.averages[key], unit), percent(ratio),
      `${percent(interval.low)} to ${percent(interval.high)}`, pText(p).replace('= ', '')]
  })
  return table(['', 'A', 'B', 'B / A', '95 % interval', 'p'], rows)
}

function runTable ({ sides, scenarios }, [a]) {
  const row = (label, of) => [label, of(sides.a), of(sides.b)]
  const { connections, duration, warmup, rate } = a.options
  return table(['', 'A', 'B'], [
    row('packages', nameOf),
    row('overrides', ({ overrides }) => JSON.stringify(overrides)),
    row('commit of the working tree', ({ commit }) => commit === null ? '-' : `${commit.hash.slice(0, 12)}${commit.clean ? '' : ', changed'}`),
    row('processor', ({ server }) => server.cpu === undefined ? '-' : `${server.cpu}, ${server.cores} cores`),
    row('run', ({ run }) => run),
    row('load', () => `${connections} connections, ${rate === null ? 'as many requests as go' : `${rate} requests/s`}, ` +
      `${duration} s per block after ${warmup} s of warm-up`),
    row('blocks', (side) => String(scenarios.reduce((sum, scenario) => sum + scenario[side === sides.a ? 'a' : 'b'].blocks, 0)))
  ])
}

function table (head, rows) {
  const cells = (list, name) => `<tr>${list.map((cell) => element(name, {}, escape(cell))).join('')}</tr>`
  return `<table><thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`
}

module.exports = reportOf
