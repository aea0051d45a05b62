'use strict'

const metrics = require('../metrics')
const { figure, percent, pText, sideText } = require('../words')
const { element, escape } = require('./svg')

/** Both sides of a scenario, and what lies between them. */
function comparedTable ({ diff, a, b }) {
  const rows = metrics.filter(({ key }) => diff[key] !== null).map(({ key, label, unit }) => {
    const { ratio, interval, p } = diff[key]
    return [label, figure(a.averages[key], unit), figure(b.averages[key], unit), percent(ratio),
      `${percent(interval.low)} to ${percent(interval.high)}`, pText(p).replace('= ', '')]
  })
  return table(['', 'A', 'B', 'B / A', '95 % interval', 'p'], rows)
}

/** One side alone. */
function loneTable (averages) {
  const rows = metrics.filter(({ key }) => averages[key] !== null)
    .map(({ key, label, unit }) => [label, figure(averages[key], unit)])
  return table(['', 'A'], rows)
}

/** What was run on what. */
function runTable (results) {
  const row = (label, of) => [label, ...results.map(of)]
  return table(['', ...results.map(({ side }) => side)], [
    row('packages', nameOf),
    row('overrides', ({ options }) => JSON.stringify(options.overrides)),
    row('commit of the working tree', ({ commit }) => commit === null ? '-' : `${commit.hash.slice(0, 12)}${commit.clean ? '' : ', changed'}`),
    row('processor', ({ serverMetadata: { cpu, cores } }) => cpu === undefined ? '-' : `${cpu}, ${cores} cores`),
    row('load', ({ options }) => loadText(options)),
    row('blocks', ({ scenarios }) => scenarios.reduce((sum, { blocks }) => sum + blocks.length, 0)),
    row('run', ({ run }) => run)
  ])
}

function loadText ({ connections, rate, duration, warmup }) {
  return `${connections} connections, ${rate === null ? 'as many requests as go' : `${rate} requests/s`}, ` +
    `${duration} s per block after ${warmup} s of warm-up`
}

/** @param {object} result @returns {string} what a side is */
function nameOf ({ told, serverMetadata: { url, node } }) {
  return sideText(told, node, url)
}

function table (head, rows) {
  const cells = (list, name) => `<tr>${list.map((cell) => element(name, {}, escape(cell))).join('')}</tr>`
  return `<div class="scroll"><table><thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>`
}

module.exports = { comparedTable, loneTable, runTable, nameOf }
