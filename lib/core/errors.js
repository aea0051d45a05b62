'use strict'

// One factory for each error that a parser reports: its status, its message, and its own fields.

const sharedTables = require('./shared-tables')

/** The key that marks errors of records/record-error.js, for every copy of this package. */
const RECORD_ERROR = Symbol.for('fast-body-parser.record-error')

/**
 * From this call on, parsers of all copies of this package record the errors that they create or pass on.
 *
 * @returns {(error: unknown) => Record<string, string> | undefined} the header fields that a response to this error
 *   needs; undefined if no parser has recorded it
 */
exports.trackParserErrors = () => {
  sharedTables.errors ??= new WeakMap() // not before somebody asks, as each entry of a WeakMap takes time
  return (error) => sharedTables.errors.get(error) ?? (peek(error, RECORD_ERROR) === true ? {} : undefined)
}

/** The key that marks the recorded fields of an error whose message is not for clients, for every copy. */
const PRIVATE = Symbol.for('fast-body-parser.private')

/** @param {object} fields that `trackParserErrors()` tells of the error */
exports.isPrivate = (fields) => fields[PRIVATE] === true

/**
 * @param {number} status of an error that has none of its own
 * @param {unknown} [subject] the message, or the error to extend
 * @param {object} [fields] of the error. They come last: to http-errors, an error of another realm is an object of
 *   fields as well
 */
function createError (status, subject, fields) {
  try {
    return createHttpError(status, subject, fields)
  } catch { // http-errors throws if somebody has set `Object.prototype.get`. Within an event, that ends the process
    const error = Object.assign(new Error(subject), { expose: status < 500, status, statusCode: status }, fields)
    sharedTables.errors?.set(error, {})
    return error
  }
}

function createHttpError (status, subject, fields) {
  const create = require('http-errors') // parsers of the middleware load it when they are made
  const error = create(...[status, subject, fields].filter((argument) => argument !== undefined))
  // JavaScriptCore gives each error the `line` of its source code. Beside an offset, it would be taken for the body's.
  if (fields?.offset !== undefined && !('line' in fields)) delete error.line
  sharedTables.errors?.set(error, {})
  return error
}

/** For an error that only one other file makes. */
exports.create = createError

/**
 * @param {string[]} accepted the codings that are known, or `identity`
 * @param {(text: string) => string} [truncateInput] bounds what the client chose. Without it, the message has all of
 *   it, as that of body-parser has
 */
exports.unsupportedCoding = (coding, accepted, truncateInput = String) =>
  refuseCoding(`unsupported content encoding "${truncateInput(coding)}"`, coding, accepted)

/** For any content coding, with `inflate: false`. */
exports.codingRefused = (coding) => refuseCoding('content encoding unsupported', coding, ['identity'])

/**
 * The response names the codings (RFC 9110, section 12.5.3). They are recorded beside the error, as that of
 * body-parser has no such property.
 */
function refuseCoding (message, coding, accepted) {
  const error = createError(415, message, { encoding: coding, type: 'encoding.unsupported' })
  sharedTables.errors?.set(error, { 'Accept-Encoding': accepted.join(', ') })
  return error
}

/**
 * @param {string} type the media type, truncated
 * @param {string} [parserName] of a parser that takes this type, but cannot read the body, as other code has read it
 */
exports.unsupportedMediaType = (type, parserName) => {
  const named = type === '' ? ': the request names none' : ` "${type}"`
  const reason = parserName === undefined ? '' : `, as other code has read the body before ${parserName}()`
  return createError(415, `unsupported media type${named}${reason}`, { type: 'media.type.unsupported' })
}

/** For a field that an adapter has made. body-parser throws such an error instead of passing it to `next`. */
exports.malformedType = () => new TypeError('the field content-type of the request is not a string')

/**
 * For a middleware that gets a Request of the Fetch standard.
 *
 * @param {string} parserName of the middleware
 */
exports.fetchRequest = (parserName) =>
  new TypeError(`the parser got a Fetch Request, but takes a request of Node.js ${CLASS}: ${alternativeTo(parserName)}`)

/**
 * @param {string} method of a parser
 * @param {string} parserName
 * @param {unknown} value what it got in the place of a request
 */
exports.notARequest = (method, parserName, value) => {
  const found = value === undefined || value === null ? `is ${value}` : `has no headers (it is of type ${typeof value})`
  return new TypeError(`${method} takes a request of Node.js ${CLASS} and its response, but the request ${found}. ` +
    `With a Fetch Request, such as c.req.raw of Hono, ${alternativeTo(parserName)}`)
}

const CLASS = '(http.IncomingMessage)'

/** What to call with a Fetch Request instead. */
function alternativeTo (parserName) {
  if (parserName === 'custom') return "use text() or raw() of 'fast-body-parser/web', and parse what it gives"
  return `use ${parserName}() of 'fast-body-parser/web' instead`
}

/** @param {(text: string) => string} [truncateInput] as of `unsupportedCoding` */
exports.unsupportedCharset = (charset, truncateInput = String) => {
  const name = truncateInput(charset.toUpperCase())
  return createError(415, `unsupported charset "${name}"`, { charset, type: 'charset.unsupported' })
}

// From here on, lengths, limits and `received` are in bytes; a length that is unknown is null.

const tooLarge = (fields) => createError(413, 'request entity too large', { ...fields, type: 'entity.too.large' })
exports.declaredTooLarge = (length, limit, create = tooLarge) => create({ expected: length, length, limit })
exports.receivedTooLarge = (received, limit, create = tooLarge) => create({ limit, received })
exports.tooManyRecords = (limit, place) => createError(413, 'too many records', {
  limit,
  ...place,
  type: 'records.too.many'
})

/** The app has left the loop, such as by `break`, before the end of the body. */
exports.recordsAbandoned = () =>
  createError(400, 'the records are not read to the end', { type: 'records.abandoned' })

exports.tooManyWrongRecords = (limit, place) => {
  const message = `too many wrong records: this is one more than ${limit}`
  return createError(400, message, { limit, ...place, type: 'records.errors.too.many' })
}

exports.lengthMismatch = (length, received) => createError(400, 'request size did not match content length', {
  expected: length,
  length,
  received,
  type: 'request.size.invalid'
})
exports.aborted = (length, received) => createError(400, 'request aborted', {
  code: 'ECONNABORTED',
  expected: length,
  length,
  received,
  type: 'request.aborted'
})
exports.requestTimeout = (received) => createError(408, 'request timeout', { received, type: 'request.timeout' })
exports.encodingSet = () => createError(500, 'stream encoding should not be set', { type: 'stream.encoding.set' })
exports.notReadable = () => createError(500, 'stream is not readable', { type: 'stream.not.readable' })
exports.readBefore = (parserName) =>
  createError(500, `stream is not readable: it was read or destroyed before ${parserName}() was called`, {
    type: 'stream.not.readable'
  })
/** For a stream in object mode. */
exports.notBytes = (chunk) => createError(500, `stream is not readable: it gave a chunk of type ${typeof chunk}`, {
  type: 'stream.not.readable'
})
exports.tooManyParameters = () => createError(413, 'too many parameters', { type: 'parameters.too.many' })
exports.tooDeep = () => createError(400, 'The input exceeded the depth', { type: 'querystring.parse.rangeError' })
exports.nestedTooDeep = (depth) => createError(400, 'the JSON exceeded the depth', { depth, type: 'entity.too.deep' })

/**
 * For an error of the request's stream, or of zlib: 400, or its own status. One with a `syscall` comes from the system,
 * and its message may tell internals.
 */
exports.unreadable = (error) => extendError(400, error, undefined, peek(error, 'syscall') !== undefined)

/**
 * For what was thrown while `text` was parsed: 400, or the status of the thrown error if that is 400 or more.
 *
 * @param {object} [place] further fields
 * @param {boolean} [isForeign] whether the app's code may have thrown it. By default, it may have thrown anything but a
 *   SyntaxError, as parsers of this package call its revivers
 */
exports.unparsable = (error, text, place, isForeign = peek(error, 'name') !== 'SyntaxError') => {
  const type = peek(error, 'type') || 'entity.parse.failed'
  const unparsable = extendError(400, error, { body: text, ...place, type }, isForeign)
  if (unparsable.status >= 400) return unparsable
  return Object.assign(unparsable, { expose: true, status: 400, statusCode: 400 })
}

/**
 * The value that the app's code threw. If it is not an object, a 500 replaces it,
 * because `next(undefined)` and `next('route')` would go on without an error.
 */
exports.thrown = (value) => Object(value) === value ? value : extendError(500, value, {})

/** For what `verify` threw, or what its promise was rejected with: 403, or its own status. */
exports.unverified = (error, bytes) =>
  extendError(403, error, { body: bytes, type: peek(error, 'type') || 'entity.verify.failed' }, true)

/**
 * Adds the fields to the error. What http-errors cannot extend (a primitive, a
 * function, an error that is frozen or has its status from a getter) is replaced
 * by a new error of the same status and message.
 *
 * @param {boolean} [isForeign] whether its message may tell internals of the app
 */
function extendError (status, error, fields, isForeign = false) {
  const isPrivate = sharedTables.errors !== null && isForeign && !isForClients(error)
  const extended = extend(status, error, fields)
  if (isPrivate) sharedTables.errors.set(extended, { [PRIVATE]: true })
  return extended
}

/**
 * Whether the message is for clients: if a parser has made the error, or the app has given it a status or `expose`. An
 * error that the app throws for a second request, or one that inherits from it (./isolate-error.js), has the status
 * that it got here for the first one. So what was recorded for the first one decides.
 */
function isForClients (error) {
  const known = sharedTables.errors.get(error) ?? sharedTables.errors.get(peek(error, '__proto__'))
  if (known !== undefined) return known[PRIVATE] !== true
  return peek(error, 'expose') ?? (peek(error, 'status') ?? peek(error, 'statusCode')) !== undefined
}

function extend (status, error, fields) {
  const statusCode = peek(error, 'statusCode') // read first, as http-errors may change it before it throws
  try {
    return createHttpError(status, error, fields)
  } catch {
    const own = [peek(error, 'status'), statusCode].find(Number.isInteger)
    const message = typeof error === 'string' ? error : peek(error, 'message')
    return createError(own ?? status, typeof message === 'string' ? message : undefined, fields)
  }
}

exports.isTooLarge = (error) => peek(error, 'type') === 'entity.too.large'

/** A field of any value; undefined for one of null, and if a getter or a proxy throws. */
function peek (error, name) {
  try {
    return error[name]
  } catch {}
}
