'use strict'

// The latency of the small requests by strategy, for people who read no tables.

const { element, escape, line, logScale, text } = require('../report/svg')
const { titleOf, time } = require('./table')

const WIDTH = 900
const LEFT = 200
const RIGHT = 610
const TOP = 96
const ROW = 40
const COLUMNS = [ // beside the plot
  { at: 700, head: ['large posts', 'a second'], cell: ({ postRate }) => postRate.toFixed(postRate < 1 ? 2 : 1) },
  { at: 790, head: ['server CPU', '% of a core'], cell: ({ utilisation }) => (utilisation * 100).toFixed(0) },
  { at: 880, head: ['longest turn', 'ms'], cell: (medians, { longestHold }) => time(longestHold) }
]
const MARKS = [['p50', 'p50'], ['p99', 'p99'], ['p99_9', 'p99.9']]

// Whoever shows it as an image has its own idea of light and dark.
const LIGHT = { back: '#fff', fore: '#1b1b1b', soft: '#5c5c5c', grid: '#e2e2e2', ours: '#0072b2', other: '#c94f00' }
const DARK = { back: '#16181a', fore: '#ececec', soft: '#a9adb2', grid: '#33373b', ours: '#56b4e9', other: '#f0a040' }
const STYLE = `
text { font: 13px system-ui, sans-serif; font-variant-numeric: tabular-nums }
.title { font-size: 16px; font-weight: 600 }
.tick { font-size: 11px }
.goal { stroke-dasharray: 4 3 }
.reach, .p99_9 { stroke-width: 3 }
.p50 { stroke-width: 2 }
${colours(LIGHT)}
@media (prefers-color-scheme: dark) {
${colours(DARK)}
}
`

/** Without variables, which some programs that draw SVG do not know. */
function colours ({ back, fore, soft, grid, ours, other }) {
  return [
    `text { fill: ${fore} } .tick { fill: ${soft} } .back { fill: ${back} } .grid { stroke: ${grid} } .goal { stroke: ${soft} }`,
    ...Object.entries({ ours, other, alone: soft }).map(([kind, colour]) => `.${kind} { fill: ${colour}; stroke: ${colour} }`),
    `.p50 { fill: ${back} }`
  ].join('\n')
}

/**
 * @param {object} result see result.js
 * @returns {string} SVG, for light and for dark
 */
module.exports = function picture ({ settings, strategies, node, machine, date, commit }) {
  const bottom = TOP + ROW * strategies.length
  const height = bottom + 80
  const values = strategies.flatMap(({ medians }) => MARKS.map(([key]) => medians[key]))
  const scale = logScale(Math.min(...values) / 1.3, Math.max(...values) * 1.3, LEFT, RIGHT)
  const title = `Latency of ${settings.rate} small requests a second, beside posts of ${settings.megabytes} MB`
  const parts = [
    element('rect', { width: WIDTH, height, class: 'back' }),
    text(16, 28, title, { class: 'title' }),
    text(16, 48, 'circle: median, dot: 99 of 100 are faster, bar: 999 of 1000; less is better', { class: 'tick' }),
    ...scale.ticks.map((tick) => line(scale.at(tick), TOP - 8, scale.at(tick), bottom, 'grid') +
      text(scale.at(tick), bottom + 16, tick, { 'text-anchor': 'middle', class: 'tick' })),
    text((LEFT + RIGHT) / 2, bottom + 32, 'ms, from when the request was due', { 'text-anchor': 'middle', class: 'tick' }),
    ...COLUMNS.map(({ at, head }) => head.map((words, i) => text(at, TOP - 26 + i * 14, words, { 'text-anchor': 'end', class: 'tick' })).join('')),
    ...twice(strategies, scale, bottom),
    ...strategies.map((strategy, i) => row(strategy, TOP + ROW * (i + 0.5), scale)),
    ...footOf({ settings, node, machine, date, commit }).map((words, i) => text(16, height - 28 + i * 16, words, { class: 'tick' }))
  ]
  const content = element('title', {}, escape(`${title}: ${inWords(strategies)}`)) + `<style>${STYLE}</style>` + parts.join('\n')
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}`, role: 'img' }
  return `${element('svg', attributes, content)}\n`
}

/** What was asked for: a p99 within twice that of no large posts. */
function twice (strategies, scale, bottom) {
  const alone = strategies.find(({ id }) => id === 'alone')
  if (alone === undefined) return []
  const at = scale.at(2 * alone.medians.p99)
  if (at > RIGHT) return []
  return [line(at, TOP - 8, at, bottom, 'goal'), text(at, TOP - 14, 'twice the p99 of none', { 'text-anchor': 'middle', class: 'tick' })]
}

function row (strategy, y, scale) {
  const { id, medians } = strategy
  const kind = id === 'alone' ? 'alone' : ['ordinary', 'cooperative'].includes(id) ? 'ours' : 'other'
  const [p50, p99, p999] = MARKS.map(([key]) => scale.at(medians[key]))
  return [
    text(LEFT - 12, y + 4, titleOf(strategy), { 'text-anchor': 'end' }),
    line(p50, y, p999, y, `reach ${kind}`),
    line(p999, y - 8, p999, y + 8, `p99_9 ${kind}`),
    element('circle', { cx: p50, cy: y, r: 5, class: `${kind} p50` }),
    element('circle', { cx: p99, cy: y, r: 6, class: kind }),
    ...COLUMNS.map(({ at, cell }, i) => text(at, y + 4, id === 'alone' && i === 0 ? '-' : cell(medians, strategy), { 'text-anchor': 'end' }))
  ].join('')
}

function inWords (strategies) {
  return strategies.map(({ name, medians }) => `${name} ${MARKS.map(([key, label]) => `${label} ${time(medians[key])} ms`).join(', ')}`).join('; ')
}

function footOf ({ settings, node, machine, date, commit }) {
  const { rounds, seconds, streams, postRate, slice, nodeFlags } = settings
  const posts = postRate === null ? `posts one after the other on ${streams} connections` : `${postRate} posts a second`
  return [
    `${posts}; slices of ${slice} ms; medians of ${rounds} blocks of ${seconds} s`,
    [`Node ${node}`, ...nodeFlags, machine.cpu, `${machine.cores} cores`, date.slice(0, 10), commit && `commit ${commit.hash.slice(0, 7)}`].filter(Boolean).join(', ')
  ]
}
