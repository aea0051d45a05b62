'use strict'

// `problemDetails()`: an error handler that answers errors of the parsers as
// application/problem+json (RFC 9457).

const { STATUS_CODES, validateHeaderName, validateHeaderValue } = require('node:http')
const { trackParserErrors } = require('../core/errors')
const { ignoreErrors } = require('../core/request/listen')
const problems = require('./problem')

/** @type {import('../..').BodyParser['problemDetails']} */
module.exports = function problemDetails (options) { // see index.d.ts
  const base = problems.readBase('problemDetails', options)
  const fieldsFor = trackParserErrors()
  return function problemDetails (error, req, res, next) {
    const fields = fieldsFor(error)
    const mayAnswer = ignoreErrors(() => typeof res.end === 'function' && !res.headersSent)
    if (fields === undefined || !mayAnswer) return next(error)
    const status = statusOf(error)
    const content = problems.contentOf(error, fields, { base, status, title: STATUS_CODES[status] })
    for (const name of problems.OF_CONTENT) res.removeHeader(name) // of a response that was begun
    for (const [name, value] of problems.headerOf(error, fields, validate)) res.setHeader(name, value)
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

/** Over HTTP/2, `setHeader` takes names that are no tokens, and lists of any texts. */
function validate (name, text) {
  validateHeaderName(name)
  validateHeaderValue(name, text)
}
