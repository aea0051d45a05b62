'use strict'

const fc = require('fast-check')
const anyDocument = require('./generate')

const BATCH = 1000 // documents of one seed
const TRIES = 2000 // to make a finding smaller

/** Carries a verdict out of a property. */
class Difference extends Error {
  constructor (difference) {
    super('differs')
    this.difference = difference
  }
}

/**
 * Judges documents until one differs.
 *
 * @param {object} settings
 * @param {number} settings.documents
 * @param {number} settings.seed of the first batch
 * @param {string | null} [settings.path] of one document
 * @param {(document: import('./generate').Document) => Promise<import('./judge').Verdict>} settings.judge
 * @param {(figures: object) => void} [progress]
 * @returns {Promise<{ figures: { documents: number, valid: number, broken: number, cuttings: number, engine: number }, finding: object | null, seconds: number }>}
 */
async function run ({ documents, seed, path = null, judge }, progress = () => {}) {
  const start = performance.now()
  const figures = { documents: 0, valid: 0, broken: 0, cuttings: 0, engine: 0 }
  let finding = null
  for (let done = 0; finding === null && done < documents; done += BATCH) {
    const batch = { seed: (seed + done / BATCH) % 2 ** 31, numRuns: Math.min(BATCH, documents - done) }
    finding = await runBatch(path === null ? batch : { seed, numRuns: 1, path }, judge, figures)
    progress(figures)
    if (path !== null) break
  }
  return { figures, finding, seconds: (performance.now() - start) / 1000 }
}

async function runBatch (batch, judge, figures) {
  let tries = -1 // of the shrinking, once something is found
  const property = fc.asyncProperty(anyDocument, async (document) => {
    if (tries >= 0 && tries++ >= TRIES) return
    const { kind, engine, difference } = await judge(document)
    if (tries === -1) count(figures, document, kind, engine)
    if (difference === null) return
    if (tries === -1) tries = 0
    throw new Difference(difference)
  })
  const { failed, errorInstance, counterexample, counterexamplePath } = await fc.check(property, batch)
  if (!failed) return null
  if (!(errorInstance instanceof Difference)) throw errorInstance
  const [{ source, long }] = counterexample
  return { seed: batch.seed, path: counterexamplePath, source, long, ...errorInstance.difference }
}

function count (figures, { sizes }, kind, engine) {
  figures.documents++
  figures[kind]++
  figures.cuttings += sizes.length
  if (engine) figures.engine++
}

module.exports = run
