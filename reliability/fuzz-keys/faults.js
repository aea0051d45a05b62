'use strict'

// Faults that the fuzzer must find: `--inject-fault=NAME` changes the outcomes.

/** @type {Record<string, (outcome: { value?: any, error?: Error }) => void>} */
module.exports = {
  /** Keys that look like numbers come first in any case. */
  order (outcome) {
    outcome.value = mapObjects(outcome.value, (entries) => entries.reverse())
  },

  zero (outcome) {
    outcome.value = mapObjects(outcome.value, (entries) => entries, (leaf) => leaf === 0 ? 0 : leaf)
  },

  proto (outcome) {
    outcome.value = mapObjects(outcome.value, (entries) => entries.filter(([name]) => name !== '__proto__'))
  }
}

function mapObjects (value, change, changeLeaf = (leaf) => leaf) {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change, changeLeaf))
  if (typeof value !== 'object' || value === null) return changeLeaf(value)
  const changed = {}
  for (const [name, field] of change(Object.entries(value))) {
    Object.defineProperty(changed, name, { value: mapObjects(field, change, changeLeaf), writable: true, enumerable: true, configurable: true })
  }
  return changed
}
