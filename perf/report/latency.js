'use strict'

const mergeHistograms = require('../histograms')
const { figure } = require('../words')
const { drawing, element, line, logScale, text } = require('./svg')

const PERCENTILES = [0, 10, 25, 40, 50, 60, 75, 85, 90, 95, 97.5, 99, 99.5, 99.9]
const SHOWN = [0, 50, 75, 90, 95, 99, 99.9]
const LEFT = 70
const RIGHT = 470
const TOP = 12
const BOTTOM = 210

/**
 * How long which part of the responses took, one curve per side.
 *
 * @param {{ letter: string, blocks: object[] }[]} sides
 * @returns {string} SVG
 */
function latencyPlot (sides) {
  const curves = sides.map(({ letter, blocks }) => curveOf(letter.toLowerCase(), blocks))
  const values = curves.flatMap(({ points }) => points.map(({ latency }) => latency))
  const vertical = logScale(Math.min(...values) / 1.1, Math.max(...values) * 1.1, BOTTOM, TOP)
  const along = (percentile) => LEFT + Math.log10(100 / (100 - percentile)) / 3 * (RIGHT - LEFT)
  const parts = [
    ...vertical.ticks.map((tick) => line(LEFT, vertical.at(tick), RIGHT, vertical.at(tick), 'grid') +
      text(LEFT - 8, vertical.at(tick) + 4, `${tick} ms`, { 'text-anchor': 'end', class: 'tick' })),
    ...SHOWN.map((percentile) => line(along(percentile), TOP, along(percentile), BOTTOM, 'grid') +
      text(along(percentile), BOTTOM + 16, `${percentile} %`, { 'text-anchor': 'middle', class: 'tick' })),
    ...curves.map(({ side, points }) => element('path', {
      class: `curve-${side}`,
      d: points.map(({ percentile, latency }, i) => `${i === 0 ? 'M' : 'L'}${along(percentile).toFixed(1)},${vertical.at(latency).toFixed(1)}`).join('')
    }))
  ]
  const medians = curves.map(({ side, median }) => `${side.toUpperCase()} ${figure(median, 'ms')}`).join(', ')
  return drawing(490, 240, `Latency by percentile; median ${medians}`, parts.join(''))
}

function curveOf (side, blocks) {
  const histogram = mergeHistograms(blocks.map((block) => block.histogram))
  const at = (percentile) => histogram.getValueAtPercentile(percentile) / 1e6 // ns -> ms
  const points = PERCENTILES.map((percentile) => ({ percentile, latency: at(percentile) }))
  return { side, median: at(50), points: points.filter(({ latency }) => latency > 0) }
}

module.exports = latencyPlot
