'use strict'

const { metrics } = require('../statistics/metrics')
const { commitText } = require('../../tools/machine')
const { figure, percent, pText, targetText } = require('../results/format')

/** @param {unknown} text @returns {string} safe in HTML */
function escape (text) {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** @param {string} kind class of the paragraph @param {unknown} text */
function paragraph (kind, text) {
  return `<p class="${kind}">${escape(text)}</p>`
}

/** A table: its first column to the left, the others to the right. */
function table (head, rows) {
  const cells = (list, name) => `<tr>${list.map((cell) => `<${name}>${escape(cell)}</${name}>`).join('')}</tr>`
  return `<div class="scroll"><table><thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>`
}

/** The averages of one target. */
function averagesTable (averages) {
  const rows = metrics.filter(({ key }) => averages[key] !== null)
    .map(({ key, label, unit }) => [label, figure(averages[key], unit)])
  return table(['', 'A'], rows)
}

/** What was run on what. */
function runTable (results) {
  const row = (label, of) => [label, ...results.map(of)]
  return table(['', ...results.map(({ target }) => target)], [
    row('packages', targetText),
    row('overrides', ({ options }) => JSON.stringify(options.overrides)),
    row('commit of the working tree', ({ commit }) => commitText(commit)),
    row('processor', ({ serverMetadata: { cpu, cores } }) => cpu === undefined ? '-' : `${cpu}, ${cores} cores`),
    row('load', ({ options }) => loadText(options)),
    row('blocks', ({ scenarios }) => scenarios.reduce((sum, { blocks }) => sum + blocks.length, 0)),
    row('run', ({ run }) => run)
  ])
}

function loadText ({ runs, rounds, duration, lead, warmup }) {
  return `${runs} runs of ${rounds} rounds, ${duration} s per block after ${lead} s; at most ${warmup} s to become steady`
}

/** @returns {{ head: string[], rows: string[][] }} both targets of a scenario, and the ratios */
function comparedRows ({ ratios, a, b }) {
  const rows = metrics.filter(({ key }) => ratios[key] !== null).map(({ key, label, unit }) => {
    const { ratio, interval, p } = ratios[key]
    return [label, figure(a.averages[key], unit), figure(b.averages[key], unit), percent(ratio),
      `${percent(interval.low)} to ${percent(interval.high)}`, pText(p)]
  })
  return { head: ['', 'A', 'B', 'B / A', '95 % interval', 'p'], rows }
}

module.exports = { escape, paragraph, table, averagesTable, runTable, comparedRows }
