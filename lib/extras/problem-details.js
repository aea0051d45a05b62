'use strict'

// `problemDetails()`: an error handler that answers errors of the parsers as
// application/problem+json (RFC 9457).

const { STATUS_CODES } = require('node:http')
const { isOurs } = require('../core/errors')

/**
 * @param {{ base?: string }} [options] what the URIs of problem types begin with
 * @returns {(error: unknown, req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function problemDetails (options) {
  const { base, ...others } = options ?? {}
  if (Object.keys(others).length > 0 || typeof (options ?? {}) !== 'object') throw new TypeError('problemDetails takes no option but base')
  if (base !== undefined && typeof base !== 'string') throw new TypeError('option base must be a string')
  return function problemDetails (error, req, res, next) {
    if (!isOurs(error) || res.headersSent) {
      next(error)
      return
    }
    const status = error.status >= 400 && error.status in STATUS_CODES ? error.status : 500
    const problem = { type: 'about:blank', title: STATUS_CODES[status], status, ...(error.expose && expose(error, base)) }
    for (const [name, value] of Object.entries(error.headers ?? {})) res.setHeader(name, value)
    res.statusCode = status
    res.setHeader('Content-Type', 'application/problem+json')
    res.end(JSON.stringify(problem))
  }
}

/** What the client may know of an error. */
function expose ({ message, type, limit, issues }, base) {
  return {
    ...(base !== undefined && type !== undefined && { type: base + encodeURIComponent(type) }),
    detail: message,
    code: type,
    limit,
    errors: issues?.map(({ message, path = [] }) => ({ detail: message, pointer: `#${path.map(fragment).join('')}` }))
  }
}

/** A step of a JSON Pointer, in a URI (RFC 6901, section 6). */
function fragment (step) {
  const key = String(step?.key ?? step)
  return `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`
}
