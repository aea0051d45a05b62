'use strict'

const { summarize } = require('../../tools/statistics')
const textTable = require('../../tools/text-table')
const ways = require('./ways')

const draw = (head, rows) => textTable(head, rows, { border: true })

const TIMES = [
  ['CPU', 'cpu'],
  ['wall', 'wall'],
  ['longest hold', 'hold'],
  ['GC in it', 'gcInHold'],
  ['longest but for GC', 'work'],
  ['longest GC', 'gc'],
  ['all GC', 'gcTime'],
  ['holds > 5 ms', 'longHolds']
]

/**
 * @param {Record<string, object>} results of measureShape, by shape
 * @returns {string} two tables: times, and how it compares with one JSON.parse
 */
module.exports = function tables (results) {
  return `${times(results)}\n${ratios(results)}`
}

function times (results) {
  const lines = entries(results).map(([shape, way, result]) => [
    `${shape}, ${nameOf(way)}`,
    ...(result.wrong === undefined
      ? [...TIMES.map(([, key]) => cell(result.rounds.map((round) => round[key]))), memory(result.memory)]
      : [result.wrong, ...TIMES.map(() => '')])
  ])
  return draw(['ms: minimum (median)', ...TIMES.map(([label]) => label), 'peak MB (more than before)'], lines)
}

function ratios (results) {
  const lines = entries(results)
    .filter(([shape, way, { wrong }]) => way !== 'whole' && wrong === undefined && results[shape].whole?.rounds !== undefined)
    .map(([shape, way, result]) => {
      const { whole } = results[shape]
      const ratio = (key) => `${of('min', result, whole, key)} (${of('median', result, whole, key)})`
      const grown = ({ memory: { before, peak } }) => peak - before
      return [
        `${shape}, ${nameOf(way)}`, ratio('cpu'), ratio('wall'),
        (result.memory.peak / whole.memory.peak).toFixed(2), (grown(result) / grown(whole)).toFixed(2)
      ]
    })
  return draw(['multiples of JSON.parse: of minimums (medians)', 'CPU', 'wall', 'peak memory', 'what was added'], lines)
}

function of (measure, result, whole, key) {
  const values = [result, whole].map(({ rounds }) => summarize(rounds.map((round) => round[key]))[measure])
  return (values[0] / values[1]).toFixed(2)
}

function entries (results) {
  return Object.entries(results).flatMap(([shape, ways]) => Object.entries(ways).map(([way, result]) => [shape, way, result]))
}

function nameOf (way) {
  return ways[way]?.name ?? way
}

function cell (samples) {
  const { min, median } = summarize(samples)
  return `${figure(min)} (${figure(median)})`
}

function figure (value) {
  return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
}

function memory ({ before, peak }) {
  return `${(peak / 1e6).toFixed(0)} (${((peak - before) / 1e6).toFixed(0)})`
}
