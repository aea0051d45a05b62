'use strict'

const { median } = require('../../tools/statistics')

/**
 * A row for each step: the medians of all, or another figure, some with their ratio to that of a peer.
 *
 * @param {string} title
 * @param {[step: string, samples: Record<string, (number | null)[]>][]} steps null: it refuses what it is sent
 * @param {(name: string) => string} [peerOf] name of the peer
 * @param {(samples: number[]) => number} [figureOf] for processes that others disturb: `lowest`
 * @returns {import('./command').Table}
 */
function medianTable (title, steps, peerOf, figureOf = median) {
  const names = [...new Set(steps.flatMap(([, samples]) => Object.keys(samples)))]
  const rows = steps.map(([step, samples]) => {
    return [step, ...names.map((name) => cellOf(samples[name] ?? [], samples[peerOf?.(name)], figureOf))]
  })
  return { title, head: ['', ...names], rows }
}

function cellOf (samples, peers, figureOf) {
  if (samples.length === 0) return ''
  if (samples.includes(null)) return 'refuses'
  const figure = figureOf(samples)
  return figure.toFixed(0) + (peers === undefined ? '' : ` (${(figure / figureOf(peers)).toFixed(2)})`)
}

const lowest = (samples) => Math.min(...samples)

module.exports = medianTable
module.exports.lowest = lowest
