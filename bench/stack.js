'use strict'

/** One handler out of several, called in turn as a framework does. */
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
 * @param {import('./competitors').Competitor} competitor
 * @param {import('./rows/row').Work} work
 * @returns {Promise<(req: object, res: object, next: Function) => void>}
 */
async function createHandler (competitor, work) {
  const handlers = await Promise.all(work.parsers.map(([kind, options]) => competitor.create(kind, options, work)))
  // What passes parsers is compared with more of them, so even one is a stack.
  return handlers.length === 1 && !work.skips ? handlers[0] : stack(handlers)
}

module.exports = { createHandler, stack }
