'use strict'

// Tries cells, many at a time, and those with faults again.

const CONCURRENCY = 96
const CALM = 16 // when a fault is looked for again
const ATTEMPTS = 3 // to see a fault again

/** @returns {Promise<{ found: object[], once: object[] }>} faults that were seen again, and those that were not */
module.exports = async function campaign (cells, tryCell) {
  const suspects = []
  await concurrently(CONCURRENCY, cells, async (cell) => {
    const faults = await tryCell(cell)
    if (faults.length > 0) suspects.push({ cell, faults, again: `${faults[0]}, not again` })
  })
  const found = []
  const once = []
  const tryAgain = async (suspect) => {
    const attempts = []
    for (let i = 0; i < ATTEMPTS; i++) attempts.push(await tryCell(suspect.cell))
    const failed = attempts.filter((faults) => faults.length > 0)
    if (failed.length === 0) return once.push(suspect)
    found.push({ ...suspect, faults: failed[0], again: `${failed.length} of ${ATTEMPTS} times again` })
  }
  // What is uncaught in no known context is blamed on all that run then, so those run again one by one.
  const isBlamed = ({ faults }) => faults.some((fault) => fault.startsWith('uncaught'))
  await concurrently(CALM, suspects.filter((suspect) => !isBlamed(suspect)), tryAgain)
  await concurrently(1, suspects.filter(isBlamed), tryAgain)
  return { found, once }
}

async function concurrently (count, items, work) {
  const queue = items[Symbol.iterator]()
  await Promise.all(Array.from({ length: count }, async () => {
    for (const item of { [Symbol.iterator]: () => queue }) await work(item)
  }))
}
