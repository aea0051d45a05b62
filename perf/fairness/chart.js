'use strict'

// The latency of the small requests by strategy.

const { COLORS, TEXT, chartTitle, rangeSeries, renderChart } = require('../../tools/chart')
const { commitText } = require('../../tools/machine')
const { titleOf, time } = require('./table')

const ROW = 40 // pixels
const TOP = 130
const COLUMNS = [ // of figures on the right
  { offset: 0, head: 'large posts\na second', cell: ({ id, medians }) => id === 'alone' ? '-' : medians.postRate.toFixed(medians.postRate < 1 ? 2 : 1) },
  { offset: 80, head: 'server CPU,\n% of a core', cell: ({ medians }) => (medians.utilisation * 100).toFixed(0) },
  { offset: 160, head: 'longest\nturn, ms', cell: ({ longestHold }) => time(longestHold) }
]
const MARKS = [['p50', 'p50'], ['p99', 'p99'], ['p99_9', 'p99.9']]

/**
 * @param {object} result see result.js
 * @returns {string} SVG
 */
module.exports = function chart (result) {
  const { settings, strategies } = result
  const title = `Latency of ${settings.rate} small requests a second, beside posts of ${settings.megabytes} MB`
  const colors = strategies.map(({ id }) => id === 'alone' ? COLORS.neutral : ['ordinary', 'cooperative'].includes(id) ? COLORS.ours : COLORS.other)
  const rows = { type: 'category', inverse: true, axisTick: { show: false }, axisLine: { show: false } }
  const points = (key, look) => ({ type: 'scatter', data: strategies.map(({ medians }, i) => ({ value: [medians[key], i], itemStyle: look(colors[i]) })) })
  return renderChart({
    width: 900,
    height: TOP + ROW * strategies.length + 60,
    label: `${title}: ${inWords(strategies)}`,
    option: {
      title: chartTitle(title, `circle: median, dot: 99 of 100 are faster, bar: 999 of 1000; less is better\n${subtext(result)}`),
      grid: { left: 180, right: 270, top: TOP, bottom: 50 },
      xAxis: { type: 'log', name: 'ms, from when the request was due', nameLocation: 'middle', nameGap: 28, nameTextStyle: TEXT, minorSplitLine: { show: false } },
      yAxis: [
        { ...rows, data: strategies.map(titleOf), axisLabel: TEXT },
        ...COLUMNS.map(({ offset, head, cell }) =>
          ({ ...rows, position: 'right', offset, name: head, nameLocation: 'start', nameTextStyle: { ...TEXT, fontSize: 11, align: 'left' }, data: strategies.map(cell), axisLabel: TEXT }))
      ],
      series: [
        { ...rangeSeries(strategies.map(({ medians }, i) => [medians.p50, medians.p99_9, i]), { width: 3, color: (i) => colors[i] }), markLine: goal(strategies) },
        { ...points('p50', (color) => ({ color: '#fff', borderColor: color, borderWidth: 2 })), symbolSize: 10 },
        { ...points('p99', (color) => ({ color })), symbolSize: 12 },
        { ...points('p99_9', (color) => ({ color })), symbol: 'rect', symbolSize: [3, 16] },
        ...COLUMNS.map((_, i) => ({ type: 'scatter', yAxisIndex: i + 1, data: [] })) // an axis needs a series
      ]
    }
  })
}

/** What was aimed at: a p99 of at most twice that without large posts. */
function goal (strategies) {
  const alone = strategies.find(({ id }) => id === 'alone')
  if (alone === undefined) return { data: [] }
  const label = { formatter: 'twice the p99 of none', fontSize: 11, position: 'start' }
  return { silent: true, symbol: 'none', label, lineStyle: { color: COLORS.neutral }, data: [{ xAxis: 2 * alone.medians.p99 }] }
}

function inWords (strategies) {
  return strategies.map(({ name, medians }) => `${name} ${MARKS.map(([key, label]) => `${label} ${time(medians[key])} ms`).join(', ')}`).join('; ')
}

function subtext ({ settings, node, machine, date, commit }) {
  const { rounds, seconds, streams, postRate, slice, nodeFlags } = settings
  const posts = postRate === null ? `posts one after the other on ${streams} connections` : `${postRate} posts a second`
  return [
    `${posts}; slices of ${slice} ms; medians of ${rounds} blocks of ${seconds} s`,
    [`Node ${node}`, ...nodeFlags, machine.cpu, `${machine.cores} cores`, date.slice(0, 10), `commit ${commitText(commit)}`].join(', ')
  ].join('\n')
}
