'use strict'

// Compares a document parsed in slices with the result of JSON.parse.

const Chunks = require('../../lib/slices/chunks')
const parse = require('../../lib/slices/parse')
const TextChunks = require('../../lib/slices/text-chunks')
const { mayMistake, mistakesNames } = require('../../test/support/engine')
const isSame = require('../../test/support/same')
const reference = require('./reference')

const ENDLESS_TASK = { shouldYield: () => false } // one slice without end

/**
 * @typedef {object} Verdict
 * @property {'valid' | 'broken'} kind what JSON.parse says
 * @property {boolean} engine JSON.parse itself was wrong about a name
 * @property {{ size: number, ours: object, theirs: object } | null} difference
 */

/**
 * @param {(outcome: object) => void} [injectFault] changes an outcome
 * @returns {(document: import('./generate').Document) => Promise<Verdict>}
 */
function createJudge (injectFault = () => {}) {
  const isFaulty = mistakesNames()

  return async function judge ({ source, sizes, long }) {
    const text = String(source)
    const engines = outcomeOf(() => JSON.parse(text))
    const kind = engines.error === undefined ? 'valid' : 'broken'
    const theirs = kind === 'valid' && isFaulty && mayMistake(text) ? { value: reference(text) } : engines
    const engine = !agree(engines, theirs)
    for (const size of sizes) {
      const ours = await inSlices(source, size, { longStringLength: long })
      if (!agree(ours, theirs)) return { kind, engine, difference: { size, ours, theirs } }
    }
    return { kind, engine, difference: null }
  }

  async function inSlices (source, size, options) {
    const outcome = {}
    try {
      outcome.value = await parse(chunksOf(source, size), ENDLESS_TASK, options)
    } catch (error) {
      outcome.error = error
    }
    injectFault(outcome)
    return outcome
  }
}

function outcomeOf (act) {
  try {
    return { value: act() }
  } catch (error) {
    return { error }
  }
}

function chunksOf (source, size) {
  if (typeof source === 'string') return new TextChunks(source)
  const list = []
  for (let at = 0; at < source.length; at += size) list.push(source.subarray(at, at + size))
  return new Chunks(list, source.length)
}

/** The same value; or errors of the same kind and message. */
function agree (one, other) {
  if (one.error === undefined || other.error === undefined) return one.error === other.error && isSame(one.value, other.value)
  return one.error.constructor === other.error.constructor && one.error.message === other.error.message
}

module.exports = createJudge
