'use strict'

// `problemDetails()`: an error handler that answers errors of the parsers as
// application/problem+json (RFC 9457).

const { STATUS_CODES } = require('node:http')
const { trackOurs } = require('../core/errors')

/**
 * @param {{ base?: string }} [options] what the URIs of problem types begin with
 * @returns {(error: unknown, req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function problemDetails (options) {
  const { base, ...others } = options ?? {}
  if (Object.keys(others).length > 0 || typeof (options ?? {}) !== 'object') throw new TypeError('problemDetails takes no option but base')
  if (base !== undefined && typeof base !== 'string') throw new TypeError('option base must be a string')
  const isOurs = trackOurs()
  return function problemDetails (error, req, res, next) {
    if (!isOurs(error) || res.headersSent) return next(error)
    const status = error.status >= 400 && error.status in STATUS_CODES ? error.status : 500
    const problem = { type: 'about:blank', title: STATUS_CODES[status], status }
    let content = JSON.stringify(problem)
    for (const name of ['Encoding', 'Language', 'Length', 'Range']) res.removeHeader(`Content-${name}`) // of a response that was begun
    try { // fields of the app's errors may be anything
      if (error.expose) content = JSON.stringify({ ...problem, ...expose(error, base) })
      for (const [name, value] of Object.entries(error.headers ?? {})) res.setHeader(name, value)
    } catch {}
    res.statusCode = status
    res.setHeader('Content-Type', 'application/problem+json')
    res.end(content)
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
  const key = String(step?.key ?? step).toWellFormed() // encodeURIComponent throws for half a surrogate pair
  return `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`
}
