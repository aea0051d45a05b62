'use strict'

const { COLORS, TEXT, chartTitle, rangeSeries, renderChart } = require('../../tools/chart')
const { percent } = require('../results/format')
const { mergeHistograms } = require('../results/histograms')

const ROW = 26 // pixels
const NAMES = 260
const PANEL = 480
const LOOKS = { A: { color: COLORS.ours, symbol: 'circle' }, B: { color: COLORS.other, symbol: 'diamond' } }

/**
 * A row per scenario: ratios B / A with their intervals, in one panel per
 * metric.
 *
 * @param {{ name: string, ratios: Record<string, { ratio: number, low: number, high: number } | null> }[]} rows
 * @param {import('../statistics/metrics').Metric[]} metrics
 * @param {{ threshold: number, title?: string, subtext?: string }} settings threshold in %
 * @returns {string} SVG
 */
function forestChart (rows, metrics, { threshold, title, subtext }) {
  const top = title === undefined ? 40 : 100
  const panels = metrics.map((metric, i) => forestPanel(rows, metric, threshold, i))
  const place = (i) => ({ left: NAMES + i * PANEL, width: PANEL - 190, top, height: rows.length * ROW })
  return renderChart({
    width: NAMES + metrics.length * PANEL,
    height: top + rows.length * ROW + 60,
    label: metrics.map(({ key, label }) => `${label}: ${rows.filter(({ ratios }) => ratios[key] !== null)
      .map(({ name, ratios }) => `${name}: ${percent(ratios[key].ratio)}`).join(', ')}`).join('; '),
    option: {
      ...(title === undefined ? {} : { title: chartTitle(title, subtext) }),
      grid: panels.map((_, i) => place(i)),
      xAxis: panels.map(({ xAxis }) => xAxis),
      yAxis: panels.flatMap(({ yAxes }) => yAxes),
      series: panels.flatMap(({ series }) => series)
    }
  })
}

function forestPanel (rows, { key, label, better }, threshold, index) {
  const known = rows.map(({ ratios }) => ratios[key])
  const axes = { gridIndex: index, type: 'category', inverse: true, axisTick: { show: false }, axisLine: { show: false } }
  const direction = better === 'lower' ? '← B is better, A is better →' : '← A is better, B is better →'
  const at = { xAxisIndex: index, yAxisIndex: 2 * index }
  return {
    xAxis: {
      gridIndex: index,
      type: 'value',
      scale: true,
      min: ({ min }) => Math.min(min, -2 * threshold / 100),
      max: ({ max }) => Math.max(max, 2 * threshold / 100),
      name: `${label}, B / A\n${direction}`,
      nameLocation: 'middle',
      nameGap: 26,
      nameTextStyle: { ...TEXT, fontSize: 12 },
      axisLabel: { formatter: (value) => value === 0 ? '0' : percent(1 + value).replace('.0', ''), hideOverlap: true }
    },
    yAxes: [
      { ...axes, data: rows.map(({ name }) => name), axisLabel: { show: index === 0, fontSize: 12, width: NAMES - 20, overflow: 'truncate' } },
      { ...axes, position: 'right', data: known.map((one) => one === null ? '-' : `${percent(one.ratio)}  (${percent(one.low)} to ${percent(one.high)})`), axisLabel: { fontSize: 12 } }
    ],
    series: [
      rangeSeries(known.map((one, i) => one === null ? ['-', '-', i] : [one.low - 1, one.high - 1, i]), at),
      {
        type: 'scatter',
        ...at,
        symbolSize: 8,
        itemStyle: { color: TEXT.color },
        data: known.flatMap((one, i) => one === null ? [] : [[one.ratio - 1, i]]),
        markArea: { silent: true, itemStyle: { color: '#dee2e6', opacity: 0.5 }, data: [[{ xAxis: -threshold / 100 }, { xAxis: threshold / 100 }]] },
        markLine: { silent: true, symbol: 'none', label: { show: false }, lineStyle: { color: COLORS.neutral, type: 'solid' }, data: [{ xAxis: 0 }] }
      },
      { type: 'scatter', xAxisIndex: index, yAxisIndex: 2 * index + 1, data: [] } // the labels on the right
    ]
  }
}

const PERCENTILES = [0, 10, 25, 40, 50, 60, 75, 85, 90, 95, 97.5, 99, 99.5, 99.9]

/**
 * The latency of the responses by percentile, one curve per target.
 *
 * @param {{ letter: string, blocks: object[] }[]} targets
 * @returns {string} SVG
 */
function latencyChart (targets) {
  const along = (percentile) => Math.log10(100 / (100 - percentile)) // 90, 99 and 99.9 are equally far apart
  const curves = targets.map(({ letter, blocks }) => {
    const histogram = mergeHistograms(blocks.map((block) => block.histogram))
    const points = PERCENTILES.map((percentile) => [along(percentile), histogram.getValueAtPercentile(percentile) / 1e6]) // ns -> ms
    return { letter, points: points.filter(([, latency]) => latency > 0) }
  })
  return lineChart('Latency by percentile', curves, {
    xAxis: { type: 'value', min: 0, max: 3, interval: 1, axisLabel: { formatter: (value) => `${100 - 100 / 10 ** value} %` } },
    yAxis: { type: 'log', name: 'ms' }
  })
}

/**
 * A metric block by block, so that a drift of the machine shows.
 *
 * @param {{ letter: string, blocks: object[] }[]} targets
 * @param {import('../statistics/metrics').Metric} metric
 * @returns {string} SVG
 */
function driftChart (targets, { label, unit, of }) {
  const curves = targets.map(({ letter, blocks }) => ({ letter, points: blocks.map((block) => [`${block.run}.${block.round}`, of(block)]) }))
  return lineChart(`${label}, round by round`, curves, {
    xAxis: { type: 'category', name: 'run.round', nameLocation: 'middle', nameGap: 24 },
    yAxis: { type: 'value', scale: true, name: unit }
  })
}

function lineChart (label, curves, axes) {
  return renderChart({
    width: 490,
    height: 260,
    label,
    option: {
      ...axes,
      grid: { left: 60, right: 24, top: 36, bottom: 40 },
      series: curves.map(({ letter, points }) => ({ name: letter, type: 'line', data: points, symbolSize: 6, ...LOOKS[letter] }))
    }
  })
}

module.exports = { forestChart, latencyChart, driftChart }
