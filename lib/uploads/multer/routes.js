'use strict'

// Which files a route takes: how many of each field, and the shape of what it
// makes of them.

/** @typedef {import('./results').Shape} Shape */

/** Files of any field. */
const ANY = { has: () => true, take () {} }

class Counts {
  /** @param {Iterable<[name: string, max: number]>} entries */
  constructor (entries) {
    this.left = new Map(entries)
  }

  /** Whether one more file of a field may come. */
  has (name) {
    return this.left.get(name) > 0
  }

  take (name) {
    this.left.set(name, this.left.get(name) - 1)
  }
}

/**
 * @param {Shape} shape
 * @param {Array<{ name: string, maxCount?: number }> | null} fields null: any
 */
function createRoute (shape, fields) {
  if (fields === null) return { shape, maxFiles: Infinity, createCounts: () => ANY }
  const entries = new Map(fields.map(({ name, maxCount }) => [
    String(name),
    typeof maxCount === 'number' ? maxCount : Infinity
  ]))
  const maxFiles = [...entries.values()].reduce((sum, max) => sum + Math.max(0, max), 0)
  return { shape, maxFiles, createCounts: () => new Counts(entries) }
}

module.exports = createRoute
