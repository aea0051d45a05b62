'use strict'

/** One handler that calls several in turn, as a framework does. */
function stack (handlers) {
  return (req, res, done) => {
    let index = 0
    next()

    function next (error) {
      if (error !== undefined || index === handlers.length) done(error)
      else handlers[index++](req, res, next)
    }
  }
}

/**
 * @param {import('../competitors').Competitor} competitor
 * @param {import('../rows/row').Work} work
 * @returns {Promise<(req: object, res: object, next: Function) => void>}
 */
async function createHandler (competitor, work) {
  const handlers = await Promise.all(work.parsers.map(([kind, options]) => competitor.create(kind, options, work)))
  // The series of stacked parsers begins with one, so even one is a stack.
  return handlers.length === 1 && !work.skips ? handlers[0] : stack(handlers)
}

module.exports = { createHandler, stack }
