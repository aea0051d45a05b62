'use strict'

// One factory per error `type`. http-errors is loaded later: a start does not
// pay for it.

const { later } = require('./later')

const httpErrors = later(() => require('http-errors'))

/** Loads what errors are made with. */
exports.load = httpErrors

/**
 * @param {number} status of an error that has none of its own
 * @param {unknown} subject an error, or a message
 * @param {object} fields
 */
function createError (status, subject, fields) {
  let create
  try {
    create = httpErrors()
  } catch {
    return createPlainError(status, subject, fields)
  }
  return subject === undefined ? create(status, fields) : create(status, subject, fields)
}

/** An error has to be told even where http-errors cannot be loaded. */
function createPlainError (status, subject, fields) {
  const isError = subject instanceof Error
  const error = isError ? subject : new Error(typeof subject === 'string' ? subject : require('node:http').STATUS_CODES[status])
  const own = isError && [error.status, error.statusCode].find(isFailure)
  const final = own || status
  return Object.assign(error, fields, { expose: final < 500, status: final, statusCode: final })
}

function isFailure (status) {
  return status >= 400 && status < 600
}

/** 415: the media type's charset is one this parser does not read. */
exports.unsupportedCharset = function (charset) {
  return createError(415, `unsupported charset "${charset.toUpperCase()}"`, {
    charset,
    type: 'charset.unsupported'
  })
}

/** 415: a content coding that is not known here. */
exports.unsupportedCoding = function (coding) {
  return createError(415, `unsupported content encoding "${coding}"`, {
    encoding: coding,
    type: 'encoding.unsupported'
  })
}

/** 415: a coded body for a parser made with `inflate: false`. */
exports.codingRefused = function (coding) {
  return createError(415, 'content encoding unsupported', {
    encoding: coding,
    type: 'encoding.unsupported'
  })
}

/** 413: the declared length is over the limit, both in bytes. */
exports.declaredTooLarge = function (length, limit) {
  return createError(413, 'request entity too large', {
    expected: length,
    length,
    limit,
    type: 'entity.too.large'
  })
}

/** 413: more bytes than the limit came in or were decoded. */
exports.receivedTooLarge = function (received, limit) {
  return createError(413, 'request entity too large', {
    limit,
    received,
    type: 'entity.too.large'
  })
}

/** 400: the body ended at another length than was declared. */
exports.lengthMismatch = function (length, received) {
  return createError(400, 'request size did not match content length', {
    expected: length,
    length,
    received,
    type: 'request.size.invalid'
  })
}

/** 400: the client went away before the body was whole. */
exports.aborted = function (length, received) {
  return createError(400, 'request aborted', {
    code: 'ECONNABORTED',
    expected: length,
    length,
    received,
    type: 'request.aborted'
  })
}

/** 500: somebody called `req.setEncoding`, so the bytes are gone. */
exports.encodingSet = function () {
  return createError(500, 'stream encoding should not be set', {
    type: 'stream.encoding.set'
  })
}

/** 500: the request cannot be read any more. */
exports.notReadable = function () {
  return createError(500, 'stream is not readable', {
    type: 'stream.not.readable'
  })
}

/** 413: a form of more parameters than `parameterLimit`. */
exports.tooManyParameters = function () {
  return createError(413, 'too many parameters', {
    type: 'parameters.too.many'
  })
}

/** 400: a form nested deeper than `depth`. */
exports.tooDeep = function () {
  return createError(400, 'The input exceeded the depth', {
    type: 'querystring.parse.rangeError'
  })
}

/** 400: JSON nested deeper than `depth`. */
exports.nestedTooDeep = function (depth) {
  return createError(400, 'the JSON exceeded the depth', {
    depth,
    type: 'entity.too.deep'
  })
}

/** 400, or its own status: an error of the request stream or of zlib. */
exports.unreadable = function (error) {
  return extend(400, error, {})
}

/** 400, or its own status: the parser threw this over `text`. */
exports.unparsable = function (error, text) {
  return extend(400, error, { body: text, type: peek(error, 'type') || 'entity.parse.failed' })
}

/**
 * 403, or its own status: `verify` threw this, or its promise was rejected
 * with it.
 */
exports.unverified = function (error, bytes) {
  return extend(403, error, { body: bytes, type: peek(error, 'type') || 'entity.verify.failed' })
}

/**
 * The same error with these fields. What http-errors cannot extend (a
 * primitive, a function, an error that is frozen or has its status from a
 * getter) makes a new error, of the same status and message.
 */
function extend (status, error, fields) {
  const statusCode = peek(error, 'statusCode') // which a failing createError may overwrite
  try {
    return createError(status, error, fields)
  } catch {
    const own = [peek(error, 'status'), statusCode].find(Number.isInteger)
    const message = peek(error, 'message')
    return createError(own ?? status, typeof message === 'string' ? message : undefined, fields)
  }
}

/** A field of what may be anything: getters and proxies may throw, too. */
function peek (error, name) {
  try {
    return error?.[name]
  } catch {
    return undefined
  }
}
