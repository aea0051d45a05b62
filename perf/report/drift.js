'use strict'

const { figure } = require('../words')
const { drawing, element, line, linearScale, marker, text } = require('./svg')

const LEFT = 60
const RIGHT = 480
const TOP = 12
const BOTTOM = 210

/**
 * The primary metric block by block, so that a drift of the machine shows.
 *
 * @param {{ letter: string, blocks: object[] }[]} sides
 * @param {import('../metrics').Metric} metric
 * @returns {string} SVG
 */
function driftPlot (sides, { label, unit, of }) {
  const values = sides.flatMap(({ blocks }) => blocks.map(of))
  const low = Math.min(...values)
  const high = Math.max(...values)
  const margin = (high - low) / 10 || high / 10
  const vertical = linearScale(low - margin, high + margin, BOTTOM, TOP)
  const rounds = Math.max(...sides.map(({ blocks }) => blocks.length))
  const along = (round) => LEFT + (round - 0.5) / rounds * (RIGHT - LEFT)
  const steps = Math.ceil(rounds / 12)
  const parts = [
    ...vertical.ticks.map((tick) => line(LEFT, vertical.at(tick), RIGHT, vertical.at(tick), 'grid') +
      text(LEFT - 8, vertical.at(tick) + 4, tick, { 'text-anchor': 'end', class: 'tick' })),
    ...Array.from({ length: rounds }, (_, i) => i + 1).filter((round) => (round - 1) % steps === 0)
      .map((round) => text(along(round), BOTTOM + 16, round, { 'text-anchor': 'middle', class: 'tick' })),
    ...sides.flatMap(({ letter, blocks }) => [
      element('path', {
        class: `thin-${letter.toLowerCase()}`,
        d: blocks.map((block, i) => `${i === 0 ? 'M' : 'L'}${along(block.round).toFixed(1)},${vertical.at(of(block)).toFixed(1)}`).join('')
      }),
      ...blocks.map((block) => marker(letter, along(block.round), vertical.at(of(block)), 4,
        `${letter}, round ${block.round}: ${figure(of(block), unit)}`))
    ])
  ]
  return drawing(490, 240, `${label} in ${unit}, round by round`, parts.join(''))
}

module.exports = driftPlot
