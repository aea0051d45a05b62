'use strict'

// What a problem document (RFC 9457) and its response get of an error, for
// `problemDetails()` and for `toResponse()` of ../web. Needs nothing of Node.

const { isPrivate } = require('../core/errors')
const { boundIssue } = require('./validate')

const { console, process } = globalThis

const PROGRAMMING = ['TypeError', 'ReferenceError']
const NOT_FOUND = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND']

/** A fault of the system, or of the app's code: nobody else would hear of it. */
function logFault ({ code, name, stack, syscall }) {
  const isFault = PROGRAMMING.includes(name) || NOT_FOUND.includes(code) || (code && syscall)
  if (isFault) log(stack)
}

/** Where Express logs errors. */
function log (text) {
  if (process?.env.NODE_ENV !== 'test') console.error(text)
}

/** The app's errors may have anything for a status. */
function statusOf ({ status }) {
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : 500
}

const MAX_POINTER = 1000 // characters

/**
 * @param {unknown} error
 * @param {object | undefined} fields what `trackParserErrors()` tells of the error; undefined if it is no parser's
 * @param {{ base?: string, status: number, title?: string }} more `title`: of the status
 * @returns {string} the document
 */
function contentOf (error, fields, { base, status, title }) {
  const problem = { type: 'about:blank', title, status }
  try { // fields of the app's errors may be anything
    if (fields !== undefined && isPrivate(fields)) logFault(error)
    else if (fields !== undefined && error.expose) return JSON.stringify({ ...problem, ...expose(error, base) })
    else if (fields !== undefined && status >= 500) log(error.stack)
  } catch {}
  return JSON.stringify(problem)
}

/** What the client may know of an error. */
function expose ({ message, type, limit, issues, line, offset, record }, base) {
  return {
    ...(base !== undefined && type !== undefined && { type: base + encodeURIComponent(type) }),
    detail: message,
    code: type,
    limit,
    ...(Number.isInteger(offset) && { line, record, offset }), // of records, or of items
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
/**
 * Fields of the response: those that the error asks for, and that it may have.
 *
 * @param {unknown} error which may have the fields of an upstream's response
 * @param {object | undefined} fields see `contentOf`
 * @param {(name: string, text: string) => void} validate throws for a field that no response may have
 * @returns {[name: string, value: string | string[]][]} only cookies have lists: over HTTP/2, `setHeader` takes a list
 *   for any field, but `end` throws for those with one value
 */
function headerOf (error, fields, validate) {
  if (fields === undefined || isPrivate(fields)) return []
  return Object.entries({ ...fields, ...error.headers }).flatMap(([name, value]) => {
    const isOfAnother = [...OF_CONTENT, ...OF_CONNECTION].includes(name.toLowerCase())
    const texts = isOfAnother ? [] : textsOf(name, value, validate)
    if (texts.length === 0) return []
    return [[name, name.toLowerCase() === 'set-cookie' ? texts : texts.join(', ')]]
  })
}

function textsOf (name, value, validate) {
  try {
    const texts = [value ?? []].flat().map(String)
    for (const text of texts) validate(name, text)
    return texts
  } catch {
    return []
  }
}

/**
 * @param {string} caller for the message
 * @param {unknown} options
 * @returns {string | undefined}
 */
function readBase (caller, options) {
  const { base, ...others } = options ?? {}
  if (Object.keys(others).length > 0 || typeof (options ?? {}) !== 'object') {
    throw new TypeError(`${caller} takes no option but base`)
  }
  if (base !== undefined && typeof base !== 'string') throw new TypeError('option base must be a string')
  return base
}

module.exports = { contentOf, headerOf, log, OF_CONTENT, readBase, statusOf }
