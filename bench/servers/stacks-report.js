'use strict'

// The table and the chart of the stacks.

const { COLORS, TEXT, chartTitle, notedLabels, renderChart } = require('../../tools/chart')
const { interquartileRange, median } = require('../../tools/statistics')

const COLOR_OF = { 'Express, ours': COLORS.ours, 'node:http, ours': COLORS.ours, 'Express, body-parser': COLORS.other }
const BARS = { left: 270, width: 520, top: 100, height: 46 } // in pixels

/** @param {object[]} turns @param {string} key @returns {number} the median over the turns */
const middle = (turns, key) => median(turns.map((turn) => turn[key]))

/** The median CPU time, and half of the interquartile range. */
function cpuOf (turns) {
  return `${middle(turns, 'cpu').toFixed(1)} ±${(interquartileRange(turns.map(({ cpu }) => cpu)) / 2).toFixed(1)}`
}

/** @param {object} result see measure-stacks.js @returns {{ about: string, head: string[], rows: string[][] }} */
function tableOf ({ node, machine, date, commit, settings: { rate, connections, sets, rounds, seconds }, stacks }) {
  return {
    about: `Node ${node}, ${machine}, ${connections} connections, medians of ${sets * rounds} turns of ${seconds} s, ${date}, commit ${commit}.`,
    head: ['stack', 'checks', 'µs of CPU', 'requests/s', `µs of CPU at ${rate}/s`, 'p50, ms', 'p99, ms'],
    rows: stacks.map(({ name, versions, checks, closed, open }) => [
      [name, ...versions].join('\n'),
      checks.join('\n') || 'none',
      cpuOf(closed),
      Math.round(middle(closed, 'rate')).toLocaleString('en'),
      cpuOf(open),
      middle(open, 'p50').toFixed(2),
      middle(open, 'p99').toFixed(2)
    ])
  }
}

/** @param {object} result see measure-stacks.js @returns {string} SVG */
function renderStacks ({ node, machine, date, commit, settings: { connections, sets, rounds, seconds }, stacks }) {
  const bars = stacks.map(({ name, checks, closed }) => ({ name, checks: checks.join(', ') || 'nothing', cpu: middle(closed, 'cpu') }))
    .sort((a, b) => a.cpu - b.cpu)
  const title = 'CPU time of one small JSON request through a whole stack, in µs'
  return renderChart({
    width: BARS.left + BARS.width + 40,
    height: BARS.top + BARS.height * bars.length + 16,
    label: `${title}: ${bars.map(({ name, cpu }) => `${name} ${cpu.toFixed(1)}`).join(', ')}`,
    option: {
      title: chartTitle(title, [
        `${connections} connections, each with one request at a time; medians of ${sets * rounds} turns of ${seconds} s; below each name, what it checks`,
        `Node ${node}, ${machine}, ${date}, commit ${commit}`
      ].join('\n')),
      grid: { left: BARS.left, top: BARS.top, width: BARS.width, height: BARS.height * bars.length },
      xAxis: { type: 'value', show: false, max: Math.max(...bars.map(({ cpu }) => cpu)) * 1.1 },
      yAxis: {
        type: 'category',
        inverse: true,
        data: bars.map(({ name }) => name),
        axisTick: { show: false },
        axisLine: { lineStyle: { color: COLORS.neutral } },
        axisLabel: notedLabels(Object.fromEntries(bars.map(({ name, checks }) => [name, checks])), COLOR_OF)
      },
      series: {
        type: 'bar',
        barWidth: '55%',
        label: { show: true, position: 'right', ...TEXT, formatter: ({ value }) => value.toFixed(1) },
        data: bars.map(({ name, cpu }) => ({ value: cpu, itemStyle: { color: COLOR_OF[name] ?? COLORS.neutral } }))
      }
    }
  })
}

module.exports = { renderStacks, tableOf }
