'use strict'

// `problemDetails()`: an error handler that answers errors of the parsers as
// application/problem+json (RFC 9457).

const { STATUS_CODES } = require('node:http')
const { trackOurs } = require('../core/errors')

/** @type {import('../..').BodyParser['problemDetails']} */
module.exports = function problemDetails (options) { // see index.d.ts
  const { base, ...others } = options ?? {}
  if (Object.keys(others).length > 0 || typeof (options ?? {}) !== 'object') throw new TypeError('problemDetails takes no option but base')
  if (base !== undefined && typeof base !== 'string') throw new TypeError('option base must be a string')
  const fieldsFor = trackOurs()
  return function problemDetails (error, req, res, next) {
    const fields = fieldsFor(error)
    if (fields === undefined || res.headersSent) return next(error)
    const status = error.status >= 400 && error.status in STATUS_CODES ? error.status : 500
    const problem = { type: 'about:blank', title: STATUS_CODES[status], status }
    let content = JSON.stringify(problem)
    for (const name of OF_CONTENT) res.removeHeader(name) // of a response that was begun
    try { // fields of the app's errors may be anything
      if (error.expose) content = JSON.stringify({ ...problem, ...expose(error, base) })
    } catch {}
    setFields(res, [...Object.entries(fields), ...entriesOf(error)])
    res.statusCode = status
    res.setHeader('Content-Type', 'application/problem+json')
    res.setHeader('Content-Length', Buffer.byteLength(content))
    res.end(content)
  }
}

/** Fields that describe the content of another message (RFC 9110, section 8; RFC 9530), and its framing, but for those that are set. */
const OF_CONTENT = ['content-digest', 'content-disposition', 'content-encoding', 'content-language', 'content-location', 'content-md5', 'content-range', 'etag', 'last-modified', 'repr-digest', 'trailer', 'transfer-encoding']
/** Those that describe its connection (RFC 9110, section 7.6.1). */
const OF_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade']

/** The fields that an error asks for, which may be those of an upstream's response. */
function setFields (res, fields) {
  const [, listed] = fields.find(([name]) => name.toLowerCase() === 'connection') ?? []
  const ofAnother = [...OF_CONTENT, ...OF_CONNECTION, ...String(listed).toLowerCase().split(/[ \t]*,[ \t]*/)]
  for (const [name, value] of fields) {
    if (ofAnother.includes(name.toLowerCase())) continue
    try {
      res.setHeader(name, value)
    } catch {} // not a valid field
  }
}

function entriesOf (error) {
  try {
    return Object.entries(error.headers ?? {})
  } catch { // getters and proxies may throw
    return []
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
