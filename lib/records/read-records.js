'use strict'

// What the middleware of each parser of records does.

const refuseSkipped = require('../answers/refuse-skipped')
const { EMPTY } = require('../core/body/match')
const { missingNext } = require('../core/body/read-promise')
const diagnostics = require('../core/insight/diagnostics')
const read = require('../read')

/** An error before the loop is published here, as only what the loop reads is traced (`isTraced` in ./describe.js). */
function readRecords (req, res, next, parser) {
  if (typeof next !== 'function') throw missingNext()
  read(req, res, (...error) => {
    if (error.length === 0) next()
    else diagnostics.publishError(parser.name, { req, res, next }, error[0])
  }, parser)
}

/**
 * What `read` calls, and the middleware with a `schema`: `req.body` has records of this parser afterwards, or there is
 * an error. A loop over what other code has left would take the items of an array, the letters of a text, or bytes for
 * records.
 *
 * @param {Function} middleware which leaves what it skips
 * @param {object} parser
 * @param {(exchange: import('../core/body/exchange')) => void} giveNone for a request without content
 */
function requireRecords (middleware, parser, giveNone) {
  const requiring = { ...parser, match: () => EMPTY, runSkipped: refuseSkipped(giveNone) }
  return function requireRecords (req, res, next) {
    if (typeof next !== 'function') throw missingNext()
    middleware(req, res, (...error) => {
      if (error.length > 0 || parser.isOwn(req)) next(...error)
      else readRecords(req, res, next, requiring)
    })
  }
}

module.exports = { readRecords, requireRecords }
