'use strict'

// `problemDetails()`: an error handler that answers errors of the parsers as
// application/problem+json (RFC 9457).

const { STATUS_CODES, validateHeaderName, validateHeaderValue } = require('node:http')
const { isPrivate, trackOurs } = require('../core/errors')
const problems = require('./problem')

/** @type {import('../..').BodyParser['problemDetails']} */
module.exports = function problemDetails (options) { // see index.d.ts
  const base = problems.readBase('problemDetails', options)
  const fieldsFor = trackOurs()
  return function problemDetails (error, req, res, next) {
    const fields = fieldsFor(error)
    if (fields === undefined || typeof res?.end !== 'function' || res.headersSent) return next(error)
    const status = statusOf(error)
    const problem = problems.about(STATUS_CODES[status], status)
    let content = JSON.stringify(problem)
    for (const name of problems.OF_CONTENT) res.removeHeader(name) // of a response that was begun
    try { // fields of the app's errors may be anything
      if (isPrivate(fields)) problems.logFault(error)
      else if (error.expose) content = JSON.stringify({ ...problem, ...problems.expose(error, base) })
    } catch {}
    if (!isPrivate(fields)) setFields(res, [...Object.entries(fields), ...problems.fieldsOf(error, validate)])
    res.statusCode = status
    res.setHeader('Content-Type', 'application/problem+json')
    res.setHeader('Content-Length', Buffer.byteLength(content))
    res.end(content)
  }
}

function statusOf (error) {
  const status = problems.statusOf(error)
  return status in STATUS_CODES ? status : 500
}

function setFields (res, fields) {
  for (const [name, value] of problems.selectFields(fields)) res.setHeader(name, value)
}

/** Over HTTP/2, `setHeader` takes names that are no tokens, and lists of any texts. */
function validate (name, text) {
  validateHeaderName(name)
  validateHeaderValue(name, text)
}
