'use strict'

const { median } = require('../../tools/statistics')

/**
 * A row for each step: the medians of all, some with their ratio to that of a peer.
 *
 * @param {string} title
 * @param {[step: string, samples: Record<string, (number | null)[]>][]} steps null: it refuses what it is sent
 * @param {(name: string) => string | undefined} [peerOf] name of the peer
 * @returns {import('./command').Table}
 */
module.exports = function medianTable (title, steps, peerOf = () => undefined) {
  const rows = steps.map(([step, samples]) => {
    const medians = Object.fromEntries(Object.entries(samples).map(([name, all]) => {
      return [name, all.includes(null) ? null : median(all)]
    }))
    return [step, ...Object.keys(samples).map((name) => cellOf(medians[name], medians[peerOf(name)]))]
  })
  return { title, head: ['', ...Object.keys(steps[0]?.[1] ?? {})], rows }
}

function cellOf (figure, peer) {
  if (figure === null) return 'refuses'
  return figure.toFixed(0) + (peer > 0 ? ` (${(figure / peer).toFixed(2)})` : '')
}
