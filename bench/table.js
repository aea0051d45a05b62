'use strict'

const mapValues = require('../tools/map-values')
const { median } = require('../tools/statistics')

const lowest = (figures) => Math.min(...figures)
const whole = (figure) => figure.toFixed(0)

/**
 * A row for each row of the results, and a column for each way. A way that refuses what it is sent gives null.
 *
 * @param {string} title
 * @param {import('./command').Results} results
 * @param {object} [how]
 * @param {(figures: number[]) => number} [how.figureOf] for processes that others disturb: `lowest`
 * @param {(way: string) => string} [how.peerOf] the way that a ratio is to
 * @param {(figures: number[]) => string} [how.textOf] of all figures of a cell, in place of one and its ratio
 * @returns {import('./command').Table}
 */
function tableOf (title, results, { figureOf = median, peerOf, textOf } = {}) {
  const ways = [...new Set(Object.values(results).flatMap(Object.keys))]
  const cellOf = (figures = [], peers) => {
    if (figures.length === 0) return ''
    if (figures.includes(null)) return 'refuses'
    if (textOf !== undefined) return textOf(figures)
    const figure = figureOf(figures)
    return whole(figure) + (peers === undefined ? '' : ` (${(figure / figureOf(peers)).toFixed(2)})`)
  }
  const rows = Object.entries(results).map(([name, row]) => {
    return [name, ...ways.map((way) => cellOf(row[way], row[peerOf?.(way)]))]
  })
  return { title, head: ['', ...ways], rows }
}

/** The median, and between what all are. */
const spanOf = (figures) => `${whole(median(figures))} (${whole(lowest(figures))}-${whole(Math.max(...figures))})`

/** @returns {import('./command').Results} one field of each figure */
function fieldOf (results, field) {
  return mapValues(results, (row) => mapValues(row, (figures) => figures.map((figure) => figure[field])))
}

module.exports = { fieldOf, lowest, spanOf, tableOf }
