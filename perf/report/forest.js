'use strict'

const { percent } = require('../words')
const { dot, drawing, element, escape, line, linearScale, text } = require('./svg')

const ROW = 26
const LEFT = 190
const RIGHT = 660
const WIDTH = 890

/**
 * One row per scenario: the ratio B / A with its interval.
 *
 * @param {object} comparison see comparison.js
 * @param {import('../metrics').Metric} metric
 * @returns {string} SVG
 */
function forestPlot ({ scenarios, settings }, { key, label, better }) {
  const rows = scenarios.filter(({ diff }) => diff[key] !== null)
  const band = settings.threshold / 100
  const changes = rows.flatMap(({ diff }) => [diff[key].interval.low - 1, diff[key].interval.high - 1])
  const low = Math.min(-2 * band, ...changes)
  const high = Math.max(2 * band, ...changes)
  const { at, ticks } = linearScale(low, high, LEFT, RIGHT)
  const bottom = 30 + rows.length * ROW
  const parts = [
    element('rect', { x: at(-band), y: 24, width: at(band) - at(-band), height: bottom - 24, class: 'band' }),
    ...ticks.map((tick) => line(at(tick), 24, at(tick), bottom, tick === 0 ? 'zero' : 'grid')),
    ...ticks.map((tick) => text(at(tick), bottom + 16, tick === 0 ? '0' : percent(1 + tick).replace('.0', ''), { 'text-anchor': 'middle', class: 'tick' })),
    text(at(0) - 8, 16, better === 'lower' ? '← B is better' : '← A is better', { 'text-anchor': 'end', class: 'tick' }),
    text(at(0) + 8, 16, better === 'lower' ? 'A is better →' : 'B is better →', { class: 'tick' }),
    ...rows.map((scenario, i) => row(scenario, scenario.diff[key], 30 + (i + 0.5) * ROW, at))
  ]
  return drawing(WIDTH, bottom + 26, `${label}: ratio B / A with its 95 % interval, for each scenario`, parts.join(''))
}

function row ({ name }, { ratio, interval }, y, at) {
  const range = `${percent(interval.low)} to ${percent(interval.high)}`
  const words = `${name}: ${percent(ratio)}, ${range}`
  return element('g', { tabindex: 0, role: 'img', 'aria-label': words, class: 'row' },
    element('title', {}, escape(words)) +
    text(LEFT - 12, y + 4, name, { 'text-anchor': 'end' }) +
    line(at(interval.low - 1), y, at(interval.high - 1), y, 'interval') +
    dot(at(ratio - 1), y, 5, 'point', words) +
    text(RIGHT + 16, y + 4, `${percent(ratio)}  (${range})`, { class: 'figure' }))
}

module.exports = forestPlot
