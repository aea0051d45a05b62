'use strict'

// What the pictures show, as options for ECharts.

const { REFERENCES, SERIES, pointsOf } = require('./growth')
const { exponent, formatExponent } = require('./stats')

const COLORS = { ours: '#0b7285', 'body-parser': '#e8590c', bare: '#868e96' }
const TEXT = { fontFamily: 'sans-serif', color: '#212529', fontSize: 13 }
const LEGEND = { top: 72, itemGap: 16, itemWidth: 18, textStyle: { ...TEXT, fontSize: 12 } }
const BARS = [
  'json 274 B, as a server feeds it', 'json 274 B', 'text 274 B', 'raw 274 B', 'form, 5 fields', 'json 274 B, gzip', 'json 6.5 KB',
  'refused: bad JSON'
]

/**
 * @param {object} results as run.js writes them
 * @returns {Record<string, { width: number, height: number, option: object }>}
 *   by the names of the files
 */
function draw (results) {
  const { node, machine, requests, rounds, quick, date, commit } = results
  const subtext = [
    `Node ${node}, ${machine}, ${requests} requests; minimums; less is better`,
    `${rounds} rounds${quick ? ', quick' : ''}, ${date}, commit ${commit ?? 'unknown'}`
  ].join('\n')
  const pictures = {}
  const bars = barsOf(results, subtext)
  if (bars !== null) pictures.rows = bars
  for (const series of SERIES) {
    const lines = linesOf(series, results.rows ?? [])
    if (lines !== null) pictures[`growth-${series.name.replaceAll(' ', '-')}`] = growth(series, lines, subtext)
  }
  return pictures
}

/** Who needs how long in some of the rows, as multiples of body-parser's time. */
function barsOf ({ rows = [], versions }, subtext) {
  const chosen = BARS.map((name) => rows.find((row) => row.name === name))
    .filter((row) => row?.results['body-parser'].times !== undefined)
  if (chosen.length === 0) return null
  const competitors = Object.keys(chosen[0].results)
  const ratio = ({ results }, who) => {
    const { times } = results[who]
    return times === undefined ? null : Math.min(...times) / Math.min(...results['body-parser'].times)
  }
  return {
    width: 900,
    height: 150 + 78 * chosen.length,
    option: {
      ...frame(`Time per request, as multiples of body-parser ${versions['body-parser']}`, `${subtext}; no bar: cannot do it`),
      legend: { ...LEGEND, data: competitors },
      grid: { left: 230, right: 40, top: 130, bottom: 50 },
      xAxis: { type: 'value', name: "multiples of body-parser's time", nameLocation: 'middle', nameGap: 30, nameTextStyle: TEXT, axisLabel: TEXT },
      yAxis: { type: 'category', inverse: true, data: chosen.map(({ name }) => name), axisLabel: TEXT },
      series: competitors.map((who) => ({
        name: who,
        type: 'bar',
        barGap: 0,
        itemStyle: COLORS[who] === undefined ? {} : { color: COLORS[who] },
        data: chosen.map((row) => ratio(row, who))
      }))
    }
  }
}

function linesOf (series, rows) {
  const lines = REFERENCES.map((who) => [who, pointsOf(series, rows, who)])
  return lines.every(([, points]) => points.length === series.sizes.length) ? lines : null
}

function growth ({ name, unit }, lines, subtext) {
  const axis = { type: 'log', nameLocation: 'middle', nameTextStyle: TEXT, axisLabel: TEXT, minorSplitLine: { show: false } }
  return {
    width: 640,
    height: 460,
    option: {
      ...frame(`Cost as ${name === 'body size' ? 'the body' : `the number of ${name}`} grows`, subtext),
      legend: LEGEND,
      grid: { left: 90, right: 60, top: 120, bottom: 60 },
      xAxis: { ...axis, name: unit, nameGap: 32 },
      yAxis: { ...axis, name: 'ns per request', nameGap: 66 },
      series: lines.map(([who, data]) => ({
        name: `${who}, exponent ${formatExponent(exponent(data))}`,
        type: 'line',
        symbolSize: 7,
        color: COLORS[who],
        lineStyle: { color: COLORS[who], width: 2 },
        data
      }))
    }
  }
}

function frame (text, subtext) {
  return {
    animation: false,
    backgroundColor: '#ffffff',
    title: { text, subtext, left: 16, top: 8, textStyle: { ...TEXT, fontSize: 16 }, subtextStyle: { ...TEXT, color: '#495057', fontSize: 12 } }
  }
}

module.exports = draw
