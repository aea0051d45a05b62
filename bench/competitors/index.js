'use strict'

/**
 * @typedef {object} Competitor
 * @property {string} name
 * @property {string} [package] what it is installed as; not with Node's own
 * @property {string[]} checks of those in test/tools/bench/checks.js. strict: refuses
 *   JSON that is neither object nor array; __proto__: and such a key
 * @property {string[]} does what a row may need
 * @property {(kind: string, options: object, work: object) => Function | Promise<Function>} create
 *   makes a middleware `(req, res, next)` that sets `req.body`
 */

/** @type {Competitor[]} */
const competitors = [
  require('./bare'),
  require('./listening'),
  require('./ours'),
  require('./body-parser'),
  require('./body-parser-1'),
  require('./milliparsec'),
  require('./co-body'),
  require('./fastify'),
  require('./subtext'),
  require('./consumers'),
  require('./raw-body')
]

/** What the competitor cannot do of what the row needs. */
function missing (row, competitor) {
  return row.needs.filter((need) => !competitor.does.includes(need))
}

module.exports = { competitors, missing }
