'use strict'

const { commitText } = require('../../tools/machine')
const textTable = require('../../tools/text-table')

const COLUMNS = [
  ['p50', ({ p50 }) => time(p50)],
  ['p99', ({ p99 }) => time(p99)],
  ['p99.9', (medians) => time(medians.p99_9)],
  ['max', ({ max }) => time(max)],
  ['load late', ({ late }) => time(late)],
  ['posts/s', ({ postRate }, { alone }) => alone ? '-' : postRate.toFixed(2)],
  ['CPU', ({ utilisation }) => `${(utilisation * 100).toFixed(0)} %`],
  ['CPU/post', ({ cpuPerPost }) => cpuPerPost === null ? '-' : cpuPerPost.toFixed(0)],
  ['turn p99.9', ({ holdP999 }) => time(holdP999)],
  ['turn max', (medians, { longestHold }) => time(longestHold)],
  ['turns > 5 ms/s', ({ longHolds }) => longHolds.toFixed(1)],
  ['GC max', ({ gc }) => time(gc)],
  ['GC', ({ gcShare }) => `${(gcShare * 100).toFixed(0)} %`],
  ['peak RSS', ({ rss }) => `${(rss / 1e6).toFixed(0)} MB`]
]

/**
 * @param {object} result see result.js
 * @returns {string} the figures, and how the cooperative strategy compares
 */
module.exports = function table (result) {
  const { settings, strategies, node, machine, commit } = result
  const rows = strategies.map((strategy) => {
    const known = { ...strategy, alone: strategy.id === 'alone' }
    return [titleOf(strategy), ...COLUMNS.map(([, cell]) => cell(strategy.medians, known))]
  })
  return [
    describe(settings),
    `Node ${node}, ${machine.cpu}, ${machine.cores} cores, commit ${commitText(commit)}`,
    'p50 to max: latency of the small requests from when they were due; times in ms; medians of the rounds, "turn max" of all rounds',
    '"load late": how late the load was at worst, for which no server can be blamed; CPU is that of all threads of the server',
    '',
    textTable(['', ...COLUMNS.map(([head]) => head)], rows),
    '',
    ...comparisons(strategies)
  ].join('\n')
}

function describe ({ rate, megabytes, streams, postRate, seconds, warmup, rounds, slice, nodeFlags }) {
  const posts = postRate === null ? `as many as the server takes on ${streams} connections` : `${postRate} a second on ${streams} connections at most`
  const flags = nodeFlags.length === 0 ? '' : `, ${nodeFlags.join(' ')}`
  return `${rate} small requests a second beside posts of ${megabytes} MB, ${posts}; ` +
    `${rounds} rounds of ${seconds} s after ${warmup} s, slices of ${slice} ms${flags}`
}

/** With no large posts, and with the ordinary parsers. */
function comparisons (strategies) {
  const of = (id) => strategies.find((strategy) => strategy.id === id)?.medians
  const cooperative = of('cooperative')
  const lines = []
  if (cooperative === undefined) return lines
  if (of('alone') !== undefined) lines.push(`cooperative: p99 is ${(cooperative.p99 / of('alone').p99).toFixed(2)} times that without large posts`)
  for (const id of ['ordinary', 'body-parser']) {
    if (!(of(id)?.postRate > 0)) continue
    lines.push(`cooperative: ${percent(cooperative.postRate / of(id).postRate)} large posts a second beside ${id}`)
  }
  return lines
}

function titleOf ({ name, version }) {
  return version === null || name.startsWith('ours') ? name : `${name} ${version}`
}

function percent (ratio) {
  const change = (ratio - 1) * 100
  return `${Math.abs(change).toFixed(1)} % ${change < 0 ? 'fewer' : 'more'}`
}

function time (milliseconds) {
  return milliseconds >= 100 ? milliseconds.toFixed(0) : milliseconds.toFixed(milliseconds >= 10 ? 1 : 2)
}

module.exports.titleOf = titleOf
module.exports.time = time
