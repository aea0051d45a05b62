'use strict'

// `read` of every middleware: a promise of the body.

const errors = require('../errors')
const { handOut } = require('../hand-out')
const { hasHeaders, isAbandoned } = require('../request/facts')
const Visit = require('../request/visit')

/**
 * @param {string} parserName for messages
 * @returns {Promise<unknown>} of `req.body`; the same for the same middleware.
 *   Other parsers run in sequence; a failure stops them
 */
module.exports = function readBody (middleware, parserName, req, res) {
  if (!hasHeaders(req)) return handOut(Promise.reject(errors.notARequest('read()', parserName, req)))
  const visit = Visit.of(req, res)
  const { promises } = visit
  if (promises.has(middleware)) return promises.get(middleware)
  const run = () => new Promise((resolve, reject) => {
    middleware(req, res, (...error) => {
      if (error.length > 0) reject(error[0])
      else if (isAbandoned(req)) reject(errors.aborted(null, 0)) // skipped as nothing can be read
      else resolve(req.body)
    })
  })
  visit.begin()
  const promise = ([...promises.values()].at(-1)?.then(run) ?? run()).finally(() => visit.end())
  promises.set(middleware, promise)
  return handOut(promise)
}

/** For a parser that was called as `read` should have been. Thrown at once: later, nothing would catch it. */
function missingNext () {
  return new TypeError('next is not a function: without one, call `await parser.read(req, res)`')
}

module.exports.missingNext = missingNext
