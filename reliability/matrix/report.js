'use strict'

const { ATTEMPTS } = { ATTEMPTS: 3 }
const SHOWN = 6 // cells of a kind

/** @returns {string} the faults, the most frequent first, each with its cells */
function reportText ({ cells, found, seconds }) {
  const kinds = new Map()
  for (const { cell, faults, seen } of found) {
    const kind = faults.join('; ')
    kinds.set(kind, [...kinds.get(kind) ?? [], `    ${cell.name} (again in ${seen} of ${ATTEMPTS})`])
  }
  const lines = [...kinds].sort(([, one], [, other]) => other.length - one.length)
    .flatMap(([kind, names]) => [`${names.length} x ${kind}`, ...names.slice(0, SHOWN)])
  return [...lines, `${cells} cells in ${seconds.toFixed(0)} s, ${found.length} with faults`].join('\n')
}

module.exports = { reportText }
