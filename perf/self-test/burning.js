'use strict'

// A copy of this file goes into the parser with the injected cost, so it needs
// nothing else; see inject-cost.js.

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
 * Waits by the clock: how long a counted loop takes depends on how V8 has
 * compiled it, up to three times as long on Node 26.
 *
 * @param {number} nanoseconds
 * @returns {() => void} takes that long
 */
function burner (nanoseconds) {
  const ms = nanoseconds / 1e6
  return () => {
    const end = performance.now() + ms
    while (performance.now() < end);
  }
}

module.exports = { burning, burner }
