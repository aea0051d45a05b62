'use strict'

const SHOWN = 6 // cells of a kind

/** @returns {string} each kind of fault with some of its cells, the most frequent first */
function reportText ({ cells, found, once, seconds }) {
  const notes = once.length === 0 ? [] : [`${once.length} cells with faults that were not seen again, such as:`, ...once.slice(0, SHOWN).map(({ cell, faults }) => `    ${cell.name}: ${faults[0]}`)]
  return [...kindsOf(found), ...notes, `${cells} cells in ${seconds.toFixed(0)} s, ${found.length} with faults`].join('\n')
}

function kindsOf (found) {
  const kinds = new Map()
  for (const { cell, faults, again } of found) {
    for (const fault of faults) {
      const kind = fault.replace(/\d+ (bytes|timers)/, 'N $1')
      if (!kinds.has(kind)) kinds.set(kind, [])
      kinds.get(kind).push(`    ${cell.name} (${again})`)
    }
  }
  return [...kinds].sort(([, one], [, other]) => other.length - one.length)
    .flatMap(([kind, names]) => [`${names.length} x ${kind}`, ...names.slice(0, SHOWN)])
}

module.exports = { reportText }
