'use strict'

// The loop: make an input from those that reached something new, run it, and keep
// it if it reaches something new as well.

const createMutator = require('./mutate')

const BUCKETS = 8 // how often a point was reached: 1, 2, 3, 4.., 8.., 16.., 32.., 128..

function bucketOf (count) {
  if (count < 4) return count - 1
  if (count < 8) return 3
  if (count < 16) return 4
  if (count < 32) return 5
  return count < 128 ? 6 : 7
}

/** Which points were reached, and roughly how often in one run. */
class Coverage {
  points = 0
  features = 0
  #counters
  #reached // points
  #seen // points and buckets

  constructor (counters) {
    this.#counters = counters
    this.#reached = new Uint8Array(counters.counts.length)
    this.#seen = new Uint8Array(counters.counts.length * BUCKETS)
  }

  /** @returns {boolean} whether the counters show anything new */
  add () {
    const { counts, used } = this.#counters
    let isNew = false
    for (let point = 0; point < used; point++) {
      if (counts[point] === 0) continue
      const feature = point * BUCKETS + bucketOf(counts[point])
      if (this.#seen[feature] === 1) continue
      if (this.#reached[point] === 0) this.points++
      this.#reached[point] = this.#seen[feature] = 1
      this.features++
      isNew = true
    }
    return isNew
  }
}

/**
 * @param {object} run
 * @param {import('./target').Target} run.target
 * @param {object} run.counters
 * @param {() => number} run.random
 * @param {Buffer[]} run.corpus inputs to begin with
 * @param {(bytes: Buffer) => unknown} run.execute runs one input; what it
 *   throws, or is rejected with, is a finding
 * @param {(executions: number) => boolean} run.isOver
 * @param {(bytes: Buffer) => void} run.keep an input that reached something new
 * @param {(figures: object) => void} run.report
 * @returns {Promise<{ executions: number, finding: { bytes: Buffer, error: unknown } | null }>} and figures
 */
async function explore ({ target, counters, random, corpus, execute, isOver, keep, report }) {
  const coverage = new Coverage(counters)
  const words = target.words.map((word) => Buffer.from(word, 'latin1'))
  const mutate = createMutator(random, words, target.longest)
  const pool = [] // inputs, with how often each was chosen
  const state = { executions: 0, finding: null }

  const figures = () => ({ executions: state.executions, points: coverage.points, all: counters.used, features: coverage.features, inputs: pool.length })
  const choose = () => {
    const one = pool[Math.floor(random() * pool.length)]
    const other = pool[Math.floor(random() * pool.length)]
    const chosen = one.chosen <= other.chosen ? one : other
    chosen.chosen++
    return chosen.bytes
  }
  const attempt = async (bytes) => {
    state.executions++
    counters.clear()
    try {
      const result = execute(bytes)
      if (result !== undefined) await result
    } catch (error) {
      state.finding = { bytes, error }
      return false
    }
    return coverage.add()
  }

  for (const bytes of corpus) {
    if (state.finding !== null || isOver(state.executions)) break
    if (await attempt(bytes)) pool.push({ bytes, chosen: 0 })
  }
  if (pool.length === 0) pool.push({ bytes: Buffer.alloc(1), chosen: 0 })
  while (state.finding === null && !isOver(state.executions)) {
    const bytes = mutate(choose(), pool[Math.floor(random() * pool.length)].bytes)
    if (await attempt(bytes)) {
      pool.push({ bytes, chosen: 0 })
      keep(bytes)
    }
    report(figures)
  }
  return { ...figures(), finding: state.finding }
}

module.exports = explore
