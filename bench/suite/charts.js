'use strict'

// The charts of the README, for tools/chart.js.

const { chartTitle, COLORS, notedLabels, TEXT } = require('../../tools/chart')
const { competitors } = require('../competitors')
const { REFERENCES, SERIES } = require('../studies/scaling')
const { exponent, formatExponent, pointsOf } = require('./exponents')

const COLOR_OF = { ours: COLORS.ours, 'body-parser': COLORS.other }
const SMALL = { ...TEXT, fontSize: 12 }
const ROW = 'json 274 B, as a server feeds it'
const SHOWN = ['bare', 'listening', 'ours', 'body-parser', 'fastify', 'co-body', 'milliparsec'] // in the chart of rows
const PANELS = 2 // runs in the chart of rows
const BARS = { left: 270, width: 260, gap: 60, top: 120, height: 44 } // in pixels
const PANEL = { width: 420, height: 330, columns: 2, top: 90 } // of the chart of scaling, in pixels

/**
 * @param {object[]} runs as run.js writes them, those that matter most first
 * @returns {Record<string, { width: number, height: number, label: string, option: object }>}
 *   by the names of their files; without those whose rows are not all measured
 */
function chartsOf (runs) {
  const charts = { rows: rowsChart(runs), scaling: scalingChart(runs[0]) }
  return Object.fromEntries(Object.entries(charts).filter(([, chart]) => chart !== null))
}

/** The time of some competitors in one row: a panel for each run. */
function rowsChart (runs) {
  const panels = runs.slice(0, PANELS).flatMap((run) => {
    const row = run.rows?.find(({ name }) => name === ROW)
    return row?.results['body-parser']?.times === undefined ? [] : [{ run, results: row.results }]
  })
  if (panels.length === 0) return null
  const least = (panel, name) => Math.min(...panel.results[name].times) / 1000
  const names = SHOWN.filter((name) => panels.every(({ results }) => results[name]?.times !== undefined))
    .sort((a, b) => least(panels[0], a) - least(panels[0], b))
  const most = Math.max(...panels.flatMap((panel) => names.map((name) => least(panel, name))))
  const left = (i) => BARS.left + i * (BARS.width + BARS.gap)
  const [{ run }] = panels
  return {
    width: left(panels.length),
    height: BARS.top + BARS.height * names.length + 16,
    label: `µs for one small JSON request: ${panels.map((panel) =>
      `Node ${panel.run.node}: ${names.map((name) => `${name} ${least(panel, name).toFixed(1)}`).join(', ')}`).join('; ')}`,
    option: {
      title: [
        chartTitle('What parsing one small JSON body costs, in µs', `${ROW}; minimums; below each name, what it checks\n${about(run)}`),
        ...panels.map(({ run }, i) => ({ ...chartTitle(`Node ${run.node}`), left: left(i), top: BARS.top - 34, textStyle: { ...TEXT, fontSize: 13 } }))
      ],
      grid: panels.map((_, i) => ({ left: left(i), top: BARS.top, width: BARS.width, height: BARS.height * names.length })),
      xAxis: panels.map((_, gridIndex) => ({ type: 'value', gridIndex, show: false, max: most * 1.15 })),
      yAxis: panels.map((_, gridIndex) => ({
        type: 'category',
        gridIndex,
        inverse: true,
        data: names,
        axisTick: { show: false },
        axisLine: { lineStyle: { color: COLORS.neutral } },
        axisLabel: { ...notedLabels(Object.fromEntries(names.map((name) => [name, checksOf(name)])), COLOR_OF), show: gridIndex === 0 }
      })),
      series: panels.map((panel, i) => ({
        type: 'bar',
        xAxisIndex: i,
        yAxisIndex: i,
        barWidth: '55%',
        label: { show: true, position: 'right', ...TEXT, formatter: ({ value }) => value.toFixed(1) },
        data: names.map((name) => ({ value: least(panel, name), itemStyle: { color: COLOR_OF[name] ?? COLORS.neutral } }))
      }))
    }
  }
}

/** What a competitor checks, in words. */
function checksOf (name) {
  return competitors.find((one) => one.name === name).checks.join(', ') || 'nothing'
}

function about ({ machine, requests, rounds, quick, date, commit }) {
  return `${machine}, ${requests} requests, ${rounds} rounds${quick ? ', quick' : ''}, ${date}, commit ${commit}`
}

/** A panel for each series: what grows, and the cost. */
function scalingChart (run) {
  const { rows = [], node } = run
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
      title: [chartTitle('Cost as the work grows', `Node ${node}; minimums; less is better\n${about(run)}`), ...panels.map((panel, i) => panelTitle(panel, places[i]))],
      grid: places.map((place) => ({ left: place.left + 70, top: place.top + 60, width: width - 160, height: height - 120 })),
      xAxis: panels.map(({ series: { unit } }, gridIndex) => ({ ...axis, gridIndex, name: unit, nameGap: 28 })),
      yAxis: panels.map((_, gridIndex) => ({ ...axis, gridIndex, name: 'ns per request', nameGap: 46 })),
      series: panels.flatMap(({ lines }, i) => lines.map(({ name, points }) => {
        const color = COLOR_OF[name] ?? COLORS.neutral
        return {
          name,
          type: 'line',
          xAxisIndex: i,
          yAxisIndex: i,
          symbolSize: 6,
          color,
          lineStyle: { width: 2 },
          endLabel: { show: true, ...SMALL, color, formatter: name },
          labelLayout: { moveOverlap: 'shiftY' },
          data: points
        }
      }))
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
