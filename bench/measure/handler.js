'use strict'

const chain = require('../../tools/chain')

/**
 * @param {import('../competitors').Competitor} competitor
 * @param {import('../rows/row').Work} work
 * @returns {Promise<(req: object, res: object, next: Function) => void>}
 */
async function createHandler (competitor, work) {
  const handlers = await Promise.all(work.parsers.map(([kind, options]) => competitor.create(kind, options, work)))
  // The series of stacked parsers begins with one, so even one is a stack.
  return handlers.length === 1 && !work.skips ? handlers[0] : chain(handlers)
}

module.exports = { createHandler }
