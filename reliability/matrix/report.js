'use strict'

const SHOWN = 6 // cells of a kind

/**
 * @param {boolean} showsAll cells of each kind, instead of some
 * @returns {string} each kind of fault with some of its cells, the most frequent first
 */
function reportText ({ cells, found, once, seconds, showsAll }) {
  const kinds = new Map()
  for (const suspect of found) {
    for (const fault of suspect.faults) {
      const kind = fault.replace(/\d+ (bytes|timers)/, 'N $1')
      kinds.set(kind, [...kinds.get(kind) ?? [], suspect])
    }
  }
  if (once.length > 0) kinds.set('a fault that was not seen again', once)
  const sorted = [...kinds].sort(([, one], [, other]) => other.length - one.length)
  return [
    ...sorted.flatMap(([kind, suspects]) => [
      `${suspects.length} x ${kind}`,
      ...suspects.slice(0, showsAll ? Infinity : SHOWN).map(({ cell, again }) => `    ${cell.name} (${again})`)
    ]),
    `${cells} cells in ${seconds.toFixed(0)} s, ${found.length} with faults`
  ].join('\n')
}

module.exports = { reportText }
