'use strict'

const generate = require('./generate')
const shrink = require('./shrink')

const TRIES = 2000 // to make what was found smaller

/**
 * Judges documents until one differs.
 *
 * @param {object} settings
 * @param {number} settings.documents
 * @param {number} settings.seed of the first
 * @param {(document: object) => Promise<import('./judge').Verdict>} settings.judge
 * @param {(figures: object) => void} [tell]
 * @returns {Promise<{ figures: { documents: number, valid: number, broken: number, cuttings: number, engine: number }, finding: object | null, seconds: number }>}
 */
async function run ({ documents, seed, judge }, tell = () => {}) {
  const begun = performance.now()
  const figures = { documents: 0, valid: 0, broken: 0, cuttings: 0, engine: 0 }
  let finding = null
  while (finding === null && figures.documents < documents) {
    const document = generate(seed + figures.documents)
    const { kind, engine, difference } = await judge(document)
    if (difference !== null) finding = await describe(document, difference, seed + figures.documents, judge)
    figures.documents++
    figures[kind]++
    figures.cuttings += document.sizes.length
    if (engine) figures.engine++
    tell(figures)
  }
  return { figures, finding, seconds: (performance.now() - begun) / 1000 }
}

/** As small as it goes. */
async function describe ({ source, long }, { size }, seed, judge) {
  const look = (source) => judge({ source, sizes: [size], long })
  const least = await shrink(source, async (candidate) => (await look(candidate)).difference !== null, TRIES)
  const { difference } = await look(least)
  return { seed, source: least, long, ...difference }
}

module.exports = run
