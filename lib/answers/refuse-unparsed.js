'use strict'

// `refuseUnparsed()`: a middleware behind the parsers, for content that none of
// them took.

const { AsyncResource } = require('node:async_hooks')
const errors = require('../core/errors')
const { isMediaRange } = require('../core/checks')
const { trackMismatches } = require('../core/body/match')
const diagnostics = require('../core/insight/diagnostics')
const sharedTables = require('../core/shared-tables')
const { warn } = require('../core/warnings')
const { truncate } = require('../core/wording')
const { isUnread } = require('../core/request/claims')
const { isStream } = require('../core/request/facts')
const awaitFirstByte = require('../core/request/first-byte')
const { ignoreErrors } = require('../core/request/listen')

const TOO_EARLY = 'refuseUnparsed() comes before a parser, and has refused content that no parser had seen: ' +
  'put it behind the parsers'

/** @throws {TypeError} for any option, such as the request of `app.use(refuseUnparsed)` */
function refuseUnparsed (options) {
  if (options !== undefined) throw new TypeError('refuseUnparsed takes no options')
  const mismatchesOf = trackTypes()
  let isSuspect = false // it has refused what no parser had seen: the parsers may come later, or skip such requests
  return function refuseUnparsed (req, res, next) {
    if (!isUnread(req)) {
      if (isSuspect && isStream(req)) sharedTables.passed.set(req, warnOfOrder)
      next()
      return
    }
    awaitFirstByte(req, res, AsyncResource.bind((error, hasContent) => {
      if (error === null && !hasContent) return next()
      if (hasContent && mismatchesOf(req).length === 0) {
        isSuspect = true
        sharedTables.passed ??= new WeakMap()
      }
      const fault = error ?? unsupportedMediaType(req, res, mismatchesOf(req))
      diagnostics.publishError('refuseUnparsed', { req, res, next }, fault)
    }, 'BodyParser'))
  }
}

const warnOfOrder = () => warn(TOO_EARLY, 'FAST_BODY_PARSER_ORDER')

/**
 * 415, with a header that names what is taken (RFC 9110, section 15.5.16).
 *
 * @param {unknown[]} types what is taken: options `type`
 * @param {string} [parserName] of a parser that would take it, if other code had not read it
 */
function unsupportedMediaType (req, res, types, parserName) {
  const [type] = String(req.headers['content-type'] ?? '').split(';')
  const accept = mediaRanges(types).join(', ')
  ignoreErrors(() => { if (accept !== '' && !res.headersSent) res.setHeader('Accept', accept) })
  return errors.unsupportedMediaType(truncate(type.trim()), parserName)
}

/**
 * The types that have a name: functions, and patterns such as +json, have none. A parser that takes extension names has
 * loaded type-is, which takes as long as all else that multipart() loads.
 */
function mediaRanges (types) {
  const names = types.flat().filter((type) => typeof type === 'string')
  const ranges = names.map((name) => isMediaRange(name) ? name : require('type-is').normalize(name))
  return [...new Set(ranges)].filter(isMediaRange)
}

/** For types of any parsers, be they of other copies of this package. */
function trackTypes () {
  require('type-is') // now: a request must not need a file
  return trackMismatches()
}

module.exports = refuseUnparsed
module.exports.trackTypes = trackTypes
module.exports.unsupportedMediaType = unsupportedMediaType
