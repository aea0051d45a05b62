'use strict'

const refuseSkipped = require('../answers/refuse-skipped')
const { EMPTY } = require('../core/body/match')
const { missingNext } = require('../core/body/read-promise')
const readRecords = require('./read-records')

/**
 * What `read` calls, and the middleware with a `schema`: `req.body` has records of this parser afterwards, or there is
 * an error. A loop over what other code has left would take the items of an array, the letters of a text, or bytes for
 * records.
 *
 * @param {Function} middleware which leaves what it skips
 * @param {object} parser
 * @param {(exchange: import('../core/body/exchange')) => void} giveNone for a request without content
 */
module.exports = function requireRecords (middleware, parser, giveNone) {
  const requiring = { ...parser, match: () => EMPTY, runSkipped: refuseSkipped(giveNone) }
  return function requireRecords (req, res, next) {
    if (typeof next !== 'function') throw missingNext()
    middleware(req, res, (...error) => {
      if (error.length > 0 || parser.isOwn(req)) next(...error)
      else readRecords(req, res, next, requiring)
    })
  }
}
