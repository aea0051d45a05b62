'use strict'

const fs = require('node:fs')
const path = require('node:path')
const chain = require('../../tools/chain')

/**
 * @typedef {object} Competitor
 * @property {string} name
 * @property {string[]} checks of those in test/tools/bench/competitors.js. strict: refuses
 *   JSON that is neither object nor array; __proto__: and such a key
 * @property {string[]} supports what a row may require
 * @property {(kind: string, options: object, work: object) => Function | Promise<Function>} create
 *   makes a middleware `(req, res, next)` that sets `req.body`
 */

/** @type {Competitor[]} */
const competitors = [
  require('./minimal'),
  require('./compatible'),
  ...require('./body-parser'),
  require('./milliparsec'),
  require('./co-body'),
  require('./fastify')
]

/** The abilities that the row requires and the competitor lacks. */
function missing (row, competitor) {
  return row.requires.filter((ability) => !competitor.supports.includes(ability))
}

/**
 * @param {Competitor} competitor
 * @param {import('../rows/row').Work} work
 * @returns {Promise<(req: object, res: object, next: Function) => void>}
 */
async function createHandler (competitor, work) {
  const handlers = await Promise.all(work.parsers.map(([kind, options]) => competitor.create(kind, options, work)))
  // The series of stacked parsers begins with one, so even one is a stack.
  return handlers.length === 1 && !work.skips ? handlers[0] : chain(handlers)
}

/** @returns {string} the version of an installed package. Not by require(), as many hide their package.json */
function versionOf (id) {
  const manifests = require.resolve.paths(id).map((modules) => path.join(modules, id, 'package.json'))
  return JSON.parse(fs.readFileSync(manifests.find((file) => fs.existsSync(file)), 'utf8')).version
}

module.exports = { competitors, createHandler, missing, versionOf }
