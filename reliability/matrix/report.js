'use strict'

const SHOWN = 6 // cells of a kind

/**
 * @param {boolean} showsAll cells of each kind, instead of some
 * @returns {string} each kind of fault with some of its cells, the most frequent first
 */
function reportText ({ cells, found, once, skipped = 0, seconds, showsAll = false }) {
  const notes = once.slice(0, SHOWN).map(({ cell, faults }) => `    ${cell.name}: ${faults[0]}`)
  if (once.length > 0) notes.unshift(`${once.length} cells with faults that were not seen again, such as:`)
  const omitted = skipped === 0 ? '' : `, ${skipped} skipped`
  const sum = `${cells} cells in ${seconds.toFixed(0)} s${omitted}, ${found.length} with faults`
  return [...kindsOf(found, showsAll ? Infinity : SHOWN), ...notes, sum].join('\n')
}

function kindsOf (found, shown) {
  const kinds = new Map()
  for (const { cell, faults, again } of found) {
    for (const fault of faults) {
      const kind = fault.replace(/\d+ (bytes|timers)/, 'N $1')
      if (!kinds.has(kind)) kinds.set(kind, [])
      kinds.get(kind).push({ act: cell.act, text: `    ${cell.name} (${again})` })
    }
  }
  const sorted = [...kinds].sort(([, one], [, other]) => other.length - one.length)
  return sorted.flatMap(([kind, cells]) => {
    const texts = spread(cells).map(({ text }) => text)
    return [`${cells.length} x ${kind}`, ...texts.slice(0, shown)]
  })
}

/** One cell of each act comes before the second ones. */
function spread (cells) {
  const acts = new Set()
  const firsts = cells.filter(({ act }) => !acts.has(act) && acts.add(act))
  return [...firsts, ...cells.filter((cell) => !firsts.includes(cell))]
}

module.exports = { reportText }
