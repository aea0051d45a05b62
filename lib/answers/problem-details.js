'use strict'

// `problemDetails()`: an error handler that answers errors of the parsers as
// application/problem+json (RFC 9457).

const { STATUS_CODES, validateHeaderName, validateHeaderValue } = require('node:http')
const { isPrivate, trackOurs } = require('../core/errors')
const { boundIssue } = require('./validate')

/** @type {import('../..').BodyParser['problemDetails']} */
module.exports = function problemDetails (options) { // see index.d.ts
  const { base, ...others } = options ?? {}
  if (Object.keys(others).length > 0 || typeof (options ?? {}) !== 'object') {
    throw new TypeError('problemDetails takes no option but base')
  }
  if (base !== undefined && typeof base !== 'string') throw new TypeError('option base must be a string')
  const fieldsFor = trackOurs()
  return function problemDetails (error, req, res, next) {
    const fields = fieldsFor(error)
    if (fields === undefined || typeof res?.end !== 'function' || res.headersSent) return next(error)
    const status = statusOf(error)
    const problem = { type: 'about:blank', title: STATUS_CODES[status], status }
    let content = JSON.stringify(problem)
    for (const name of OF_CONTENT) res.removeHeader(name) // of a response that was begun
    try { // fields of the app's errors may be anything
      if (isPrivate(fields)) logFault(error)
      else if (error.expose) content = JSON.stringify({ ...problem, ...expose(error, base) })
    } catch {}
    if (!isPrivate(fields)) setFields(res, [...Object.entries(fields), ...fieldsOf(error)])
    res.statusCode = status
    res.setHeader('Content-Type', 'application/problem+json')
    res.setHeader('Content-Length', Buffer.byteLength(content))
    res.end(content)
  }
}

const PROGRAMMING = ['TypeError', 'ReferenceError']
const NOT_FOUND = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND']

/** A fault of the system, or of the app's code, goes where Express logs those; nobody else would hear of it. */
function logFault ({ code, name, stack, syscall }) {
  const isFault = PROGRAMMING.includes(name) || NOT_FOUND.includes(code) || (code && syscall)
  if (isFault && process.env.NODE_ENV !== 'test') console.error(stack)
}

/** The app's errors may have anything for a status. */
function statusOf (error) {
  const { status } = error
  return Number.isInteger(status) && status >= 400 && status in STATUS_CODES ? status : 500
}

/**
 * Fields that describe the content of another message (RFC 9110, section 8; RFC
 * 9530), and its framing, but for those that are set.
 */
const OF_CONTENT = [
  'content-digest', 'content-disposition', 'content-encoding', 'content-language', 'content-location', 'content-md5',
  'content-range', 'etag', 'last-modified', 'repr-digest', 'trailer', 'transfer-encoding'
]
/** Those that describe its connection (RFC 9110, section 7.6.1; RFC 7540, section 3.2.1). */
const OF_CONNECTION = ['connection', 'http2-settings', 'keep-alive', 'proxy-connection', 'te', 'upgrade']
/** Those with one value. Over HTTP/2, `setHeader` takes several, but `end` throws. */
const OF_ONE_VALUE = [
  'access-control-allow-credentials', 'access-control-max-age', 'access-control-request-method', 'age',
  'authorization', 'date', 'dnt', 'expires', 'from', 'host', 'if-match', 'if-modified-since', 'if-none-match',
  'if-range', 'if-unmodified-since', 'location', 'max-forwards', 'proxy-authorization', 'range', 'referer',
  'retry-after', 'tk', 'upgrade-insecure-requests', 'user-agent', 'x-content-type-options'
]

/** Over HTTP/2, Node resets a stream whose header takes more than 64 KiB. */
const MAX_FIELDS = 32 * 1024 // characters of the fields of an error

/** The fields that an error asks for, which may be those of an upstream's response. */
function setFields (res, fields) {
  const [, listed] = fields.find(([name]) => name.toLowerCase() === 'connection') ?? []
  const ofAnother = [...OF_CONTENT, ...OF_CONNECTION, ...String(listed).toLowerCase().split(/[ \t]*,[ \t]*/)]
  let room = MAX_FIELDS
  for (const [name, value] of fields) {
    const refused = Array.isArray(value) ? [...ofAnother, ...OF_ONE_VALUE] : ofAnother
    const size = name.length + String(value).length + 32 // HPACK counts so (RFC 7541, section 4.1)
    if (refused.includes(name.toLowerCase()) || size > room) continue
    res.setHeader(name, value)
    room -= size
  }
}

/**
 * Those that are valid, as texts: values of the app's may change, or throw, after
 * they were checked.
 *
 * @returns {[name: string, value: string | string[]][]}
 */
function fieldsOf (error) {
  const fields = []
  try {
    const { headers } = error
    if (typeof headers !== 'object' || headers === null) return fields
    for (const name of Object.keys(headers)) fields.push(...fieldOf(headers, name))
  } catch {} // getters and proxies may throw
  return fields
}

/** Over HTTP/2, `setHeader` takes names that are no tokens, and lists of any texts. */
function fieldOf (headers, name) {
  try {
    const value = headers[name]
    if (value === undefined || value === null) return []
    const texts = [value].flat().map((item) => `${item}`)
    validateHeaderName(name)
    for (const text of texts) validateHeaderValue(name, text)
    return [[name, texts.length === 1 ? texts[0] : texts]]
  } catch {
    return []
  }
}

const MAX_POINTER = 1000 // characters

/** What the client may know of an error. */
function expose ({ message, type, limit, issues }, base) {
  return {
    ...(base !== undefined && type !== undefined && { type: base + encodeURIComponent(type) }),
    detail: message,
    code: type,
    limit,
    errors: issues?.map(({ message, path = [] }) => ({
      detail: typeof message === 'string' ? boundIssue(message) : message, // the app's schema may give anything
      pointer: pointerTo(path)
    }))
  }
}

/** A client chooses the keys of a record: a pointer that is too long is left out, as a part of one leads elsewhere. */
function pointerTo (path) {
  const pointer = `#${path.map(fragment).join('')}`
  return pointer.length > MAX_POINTER ? undefined : pointer
}

/** A step of a JSON Pointer, in a URI (RFC 6901, section 6). */
function fragment (step) {
  const key = String(step?.key ?? step).toWellFormed() // encodeURIComponent throws for half a surrogate pair
  return `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`
}
