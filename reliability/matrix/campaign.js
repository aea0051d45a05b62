'use strict'

// Tries cells, many at a time, and those with faults again.

const CONCURRENCY = 96
const CALM = 16 // when a fault is looked for again
const FEW = 4
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
    for (let i = 0; i < (faults.length > 0 ? ATTEMPTS : 1); i++) attempts.push(await tryCell(cell))
    const failed = attempts.filter((faults) => faults.length > 0)
    const again = failed.length === 0 ? `${faults[0]}, not again` : `${failed.length} of ${attempts.length} times again`
    if (failed.length > 0) found.push({ cell, faults: failed[0], again })
    else if (faults.length > 0) once.push({ cell, faults, again })
  }
  await concurrently(calm, suspects, tryAgain)
  const accused = once.flatMap(({ cell }) => servers.bystanders.get(cell) ?? [])
  let bystanders = new Set([...accused, ...servers.takeUnclaimed()])
  // What is uncaught in no known context is narrowed down: of many cells that ran
  // then, few run again beside another such error, and those run alone.
  for (const count of [calm, FEW, 1]) {
    const left = [...bystanders].filter((cell) => !suspects.has(cell)).map((cell) => [cell, []])
    await concurrently(count, left, tryAgain)
    bystanders = new Set(servers.takeUnclaimed())
  }
  return { found, once }
}

async function concurrently (count, items, work) {
  const queue = items[Symbol.iterator]()
  await Promise.all(Array.from({ length: count }, async () => {
    for (const item of { [Symbol.iterator]: () => queue }) await work(item)
  }))
}
