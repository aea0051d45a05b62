'use strict'

const { median } = require('../../tools/statistics')

/**
 * A row for each step: the medians of all, some with their ratio to that of a peer.
 *
 * @param {string} title
 * @param {[step: string, samples: Record<string, (number | null)[]>][]} steps null: it refuses what it is sent
 * @param {(name: string) => string} [peerOf] name of the peer
 * @returns {import('./command').Table}
 */
module.exports = function medianTable (title, steps, peerOf) {
  const rows = steps.map(([step, samples]) => {
    return [step, ...Object.keys(samples).map((name) => cellOf(samples[name], samples[peerOf?.(name)]))]
  })
  return { title, head: ['', ...Object.keys(steps[0]?.[1] ?? {})], rows }
}

function cellOf (samples, peers) {
  if (samples.includes(null)) return 'refuses'
  const figure = median(samples)
  return figure.toFixed(0) + (peers === undefined ? '' : ` (${(figure / median(peers)).toFixed(2)})`)
}
