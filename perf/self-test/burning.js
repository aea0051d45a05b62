'use strict'

// A copy of this file goes into the parser with the injected cost, so it needs
// nothing else; see inject-cost.js. It counts rather than reads the clock, which
// would allocate memory.

/**
 * @param {Record<string, Function>} original a body-parser
 * @param {() => void} burn called once per request: by the first parser that is
 *   created, which every request passes. To mark the request would cost, too.
 * @returns {Record<string, Function>} the same, with that cost
 */
function burning (original, burn) {
  const costly = {}
  let first = true
  for (const name of ['json', 'raw', 'text', 'urlencoded']) {
    costly[name] = (options) => {
      const parse = original[name](options)
      if (!first) return parse
      first = false
      return (req, res, next) => {
        burn()
        parse(req, res, next)
      }
    }
  }
  return costly
}

/**
 * @param {number} nanoseconds
 * @returns {() => void} takes about that long
 */
function burner (nanoseconds) {
  const times = timesFor(nanoseconds)
  return () => { count(times) }
}

function count (times) {
  let state = times
  for (let i = 0; i < times; i++) state = (Math.imul(state, 1103515245) + 12345) | 0
  return state
}

function timesFor (nanoseconds) {
  const TRIAL = 1000000
  let least = Infinity
  for (let i = 0; i < 20; i++) {
    const began = process.hrtime.bigint()
    count(TRIAL)
    least = Math.min(least, Number(process.hrtime.bigint() - began))
  }
  return Math.round(nanoseconds / least * TRIAL)
}

module.exports = { burning, burner }
