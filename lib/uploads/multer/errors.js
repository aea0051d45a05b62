'use strict'

// The errors of multer, with the messages that apps match on. Each has a status
// as well, which does not show in its JSON.

const { ignoreErrors } = require('../../core/request/listen')
const { formatSize, truncate } = require('../../core/wording')
const define = require('../../json-keys/define')

const BAD_REQUEST = 400
const TOO_LARGE = 413
const UNSUPPORTED = 415

/** Code -> status and message. */
const CODES = {
  __proto__: null,
  LIMIT_PART_COUNT: [TOO_LARGE, 'Too many parts'],
  LIMIT_FILE_SIZE: [TOO_LARGE, 'File too large'],
  LIMIT_FILE_COUNT: [TOO_LARGE, 'Too many files'],
  LIMIT_FIELD_KEY: [TOO_LARGE, 'Field name too long'],
  LIMIT_FIELD_VALUE: [TOO_LARGE, 'Field value too long'],
  LIMIT_FIELD_COUNT: [TOO_LARGE, 'Too many fields'],
  LIMIT_TOTAL_SIZE: [TOO_LARGE, 'Form too large'],
  LIMIT_UNEXPECTED_FILE: [BAD_REQUEST, 'Unexpected file field'],
  LIMIT_FIELD_NESTING: [BAD_REQUEST, 'Field name nesting too deep'],
  LIMIT_FIELD_ARRAY_INDEX: [BAD_REQUEST, 'Field name array index too large'],
  MISSING_FIELD_NAME: [BAD_REQUEST, 'Field name missing'],
  INVALID_FIELD_NAME: [BAD_REQUEST, 'Invalid field name'],
  STREAM_DESTROYED: [undefined, 'File stream was destroyed']
}

class MulterError extends Error {
  /**
   * @param {string} code
   * @param {string} [field] its name
   * @param {string} [filename] as the client names the file
   */
  constructor (code, field, filename) {
    super()
    const [status, message] = CODES[code] ?? [undefined, `Unknown error: ${code}`]
    define(this, 'name', 'MulterError')
    define(this, 'message', message)
    this.code = code
    if (field) this.field = field
    if (filename) this.filename = filename
    setStatus(this, status)
    Error.captureStackTrace(this, MulterError)
  }
}

/** multer has no limit of the whole form, so that no app matches on this message. */
function formTooLarge (fields) {
  const error = Object.assign(new MulterError('LIMIT_TOTAL_SIZE'), fields)
  define(error, 'message', `${error.message}: at most ${formatSize(fields.limit)}`)
  Error.captureStackTrace(error, formTooLarge)
  return error
}

function setStatus (error, status) {
  if (status === undefined) return
  const hidden = { __proto__: null, value: status, writable: true, configurable: true }
  Object.defineProperties(error, { status: hidden, statusCode: hidden })
}

function createError (status, message) {
  const error = new Error(message)
  setStatus(error, status)
  return error
}

/** Changes the error of a request that ends early to what multer says of it. */
function becomeAborted (error) {
  if (error.type !== 'request.aborted') return
  delete error.code
  Object.assign(error, { name: 'Error', message: 'Request aborted' })
}

/** An error of the app's may be frozen. */
function extend (error, fields) {
  ignoreErrors(() => Object.assign(error, fields))
  return error
}

module.exports = {
  MulterError,
  becomeAborted,
  boundaryMissing: () => createError(BAD_REQUEST, 'Multipart: Boundary not found'),
  extend,
  formTooLarge,
  malformedHeader: () => createError(BAD_REQUEST, 'Malformed part header'),
  malformedType: () => createError(BAD_REQUEST, 'Malformed content type'),
  unexpectedEnd: () => createError(BAD_REQUEST, 'Unexpected end of form'),
  unsupportedType: (type) => createError(UNSUPPORTED, `Unsupported content type: ${truncate(type)}`)
}
