'use strict'

// Tries cells, many at a time, and those with faults again.

const CONCURRENCY = 96
const CALM = 16 // when a fault is looked for again
const ATTEMPTS = 3 // to see a fault again

/**
 * @template Cell
 * @param {Cell[]} cells
 * @param {(cell: Cell) => Promise<string[]>} tryCell gives what is wrong
 * @param {import('./servers')} servers
 * @param {number} [calm] cells at a time, when a fault is looked for again
 * @returns {Promise<{ found: Suspect[], once: Suspect[] }>} faults that were seen again, and those that were not
 * @typedef {{ cell: object, faults: string[], again: string }} Suspect
 */
module.exports = async function campaign (cells, tryCell, servers, calm = CALM) {
  const suspects = new Map()
  await concurrently(CONCURRENCY, cells, async (cell) => {
    const faults = await tryCell(cell)
    if (faults.length > 0) suspects.set(cell, faults)
  })
  const found = []
  const once = []
  const tryAgain = async ([cell, faults]) => {
    const attempts = []
    for (let i = 0; i < ATTEMPTS; i++) attempts.push(await tryCell(cell))
    const failed = attempts.filter((faults) => faults.length > 0)
    if (failed.length > 0) found.push({ cell, faults: failed[0], again: `${failed.length} of ${ATTEMPTS} times again` })
    else if (faults.length > 0) once.push({ cell, faults, again: 'not again' })
  }
  await concurrently(calm, suspects, tryAgain)
  const bystanders = new Set([
    ...once.flatMap(({ cell }) => servers.bystanders.get(cell) ?? []),
    ...[...servers.unclaimed].flatMap(({ cells }) => cells)
  ])
  await concurrently(1, [...bystanders].filter((cell) => !suspects.has(cell)).map((cell) => [cell, []]), tryAgain)
  return { found, once }
}

async function concurrently (count, items, work) {
  const queue = items[Symbol.iterator]()
  await Promise.all(Array.from({ length: count }, async () => {
    for (const item of { [Symbol.iterator]: () => queue }) await work(item)
  }))
}
