'use strict'

// The charts of the README, for tools/chart.js.

const { chartTitle, COLORS, TEXT } = require('../../tools/chart')
const { REFERENCES, SERIES } = require('../studies/scaling')
const { exponent, formatExponent, pointsOf } = require('./exponents')

const COLOR_OF = { ours: COLORS.ours, 'body-parser': COLORS.other, bare: COLORS.neutral }
const LEGEND = { top: 72, itemGap: 16, itemWidth: 18, textStyle: { ...TEXT, fontSize: 12 } }
const BARS = [
  'json 274 B, as a server feeds it', 'json 274 B', 'text 274 B', 'raw 274 B', 'form, 5 fields', 'json 274 B, gzip', 'json 6.5 KB',
  'refused: bad JSON'
]
const PANEL = { width: 420, height: 330, columns: 2, top: 110 } // of the chart of scaling, in pixels

/**
 * @param {object} results as run.js writes them
 * @returns {Record<string, { width: number, height: number, label: string, option: object }>}
 *   by the names of their files; without those whose rows are not all measured
 */
function chartsOf (results) {
  const { node, machine, requests, rounds, quick, date, commit } = results
  const subtext = [
    `Node ${node}, ${machine}, ${requests} requests; minimums; less is better`,
    `${rounds} rounds${quick ? ', quick' : ''}, ${date}, commit ${commit}`
  ].join('\n')
  const charts = { rows: rowsChart(results, subtext), scaling: scalingChart(results, subtext) }
  return Object.fromEntries(Object.entries(charts).filter(([, chart]) => chart !== null))
}

/** The time of each competitor in some of the rows, as multiples of body-parser's. */
function rowsChart ({ rows = [], versions }, subtext) {
  const shown = BARS.map((name) => rows.find((row) => row.name === name))
    .filter((row) => row?.results['body-parser'].times !== undefined)
  if (shown.length === 0) return null
  const competitors = Object.keys(shown[0].results)
  const ratio = ({ results }, competitor) => {
    const { times } = results[competitor]
    return times === undefined ? null : Math.min(...times) / Math.min(...results['body-parser'].times)
  }
  return {
    width: 900,
    height: 150 + 78 * shown.length,
    label: `Time per request of ${competitors.join(', ')}, as multiples of body-parser's`,
    option: {
      title: chartTitle(`Time per request, as multiples of body-parser ${versions['body-parser']}`, `${subtext}; no bar: cannot do it`),
      legend: { ...LEGEND, data: competitors },
      grid: { left: 230, right: 40, top: 130, bottom: 50 },
      xAxis: { type: 'value', name: "multiples of body-parser's time", nameLocation: 'middle', nameGap: 30, nameTextStyle: TEXT, axisLabel: TEXT },
      yAxis: { type: 'category', inverse: true, data: shown.map(({ name }) => name), axisLabel: TEXT },
      series: competitors.map((name) => ({
        name,
        type: 'bar',
        barGap: 0,
        itemStyle: { color: COLOR_OF[name] },
        data: shown.map((row) => ratio(row, name))
      }))
    }
  }
}

/** A panel for each series: what grows, and the cost. */
function scalingChart ({ rows = [] }, subtext) {
  const panels = SERIES.map((series) => ({ series, lines: REFERENCES.map((name) => ({ name, points: pointsOf(series, rows, name) })) }))
    .filter(({ series, lines }) => lines.every(({ points }) => points.length === series.sizes.length))
  if (panels.length === 0) return null
  const axis = { type: 'log', nameLocation: 'middle', nameTextStyle: TEXT, axisLabel: { ...TEXT, formatter: compact }, minorSplitLine: { show: false } }
  const { width, height, columns, top } = PANEL
  const places = panels.map((_, i) => ({ left: width * (i % columns), top: top + height * Math.floor(i / columns) }))
  return {
    width: width * Math.min(columns, panels.length),
    height: top + height * Math.ceil(panels.length / columns),
    label: `Time per request by ${panels.map(({ series }) => series.name).join(', ')}: ${REFERENCES.join(', ')}`,
    option: {
      title: [chartTitle('Cost as the work grows', subtext), ...panels.map((panel, i) => panelTitle(panel, places[i]))],
      legend: LEGEND,
      grid: places.map((place) => ({ left: place.left + 70, top: place.top + 60, width: width - 100, height: height - 120 })),
      xAxis: panels.map(({ series: { unit } }, gridIndex) => ({ ...axis, gridIndex, name: unit, nameGap: 28 })),
      yAxis: panels.map((_, gridIndex) => ({ ...axis, gridIndex, name: 'ns per request', nameGap: 46 })),
      series: panels.flatMap(({ lines }, i) => lines.map(({ name, points }) => ({
        name, type: 'line', xAxisIndex: i, yAxisIndex: i, symbolSize: 6, color: COLOR_OF[name], lineStyle: { width: 2 }, data: points
      })))
    }
  }
}

function compact (value) {
  return value.toLocaleString('en', { notation: 'compact' })
}

function panelTitle ({ series, lines }, { left, top }) {
  const exponents = lines.map(({ name, points }) => `${name} ${formatExponent(exponent(points))}`)
  return { ...chartTitle(series.name, `exponents: ${exponents.join(', ')}`), left: left + 16, top }
}

module.exports = chartsOf
