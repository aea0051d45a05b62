'use strict'

// What the parser of a route of multer's is: which requests it reads, what is wrong with others, and what its options
// decide once.

const contentType = require('content-type')
const { isUint8Array } = require('node:util').types
const { BYTES, EMPTY, FINISHED, MISMATCH } = require('../../core/body/match')
const createStreamReader = require('../../core/body/stream-reader')
const errors = require('../../core/errors')
const { nextTick } = require('../../core/platform')
const { isClaimedByLoop } = require('../../core/request/claims')
const { declaresBody, isRead, isStream } = require('../../core/request/facts')
const FormReader = require('../form/form-reader')
const { createStages, hostOf } = require('../form/request-form')
const { boundaryOf } = require('../parts/boundary')
const { MULTER, keepPath } = require('../parts/rules')
const { decoderOf } = require('./charsets')
const { becomeAborted, boundaryMissing, extend, formTooLarge, malformedType, unsupportedType } = require('./errors')
const MulterForm = require('./form')
const { checkLimits, completeLimits } = require('./limits')
const { MemoryStorage, isBuiltIn } = require('./storage')
const createHandlerReader = require('./stream-handler')

// Of the header of a part.
const RULES = Object.freeze({ ...MULTER, decoderOf })
const KEEPING = Object.freeze({ ...RULES, splitPath: keepPath })

const MULTIPART = /^multipart\/[!#$%&'*+.^_`|~\w-]+$/
const FORM_DATA = /^multipart\/form-data(?=;|$)/i // most fields, which need not be parsed for it
const BOUNDARY = {
  valid: /^[^]{0,69}[^ \t]$/, // also with characters that RFC 2046 does not have
  takesFirst: true,
  createError: (what) => what === 'missing' ? boundaryMissing() : malformedType()
}
const FALLBACK = 'neither req.rawBody nor req.body has its content: call multer before the code that reads the ' +
  'request, or let that code keep the content in req.rawBody, for multer({ buffered: true })'
const PARSED = 'other code has parsed it: use one upload middleware for a request, and no other parser of forms'

/**
 * @param {object} options of `multer`, which are checked
 * @param {import('./routes').Route} route
 * @returns {Partial<import('../../compose').Draft>}
 */
function describe (options, route) {
  const createForm = createFormOf(options, route)
  return {
    charsets: null,
    namespace: 'multer',
    ignoresCodings: true,
    match,
    matchHeader,
    createStreamReader: () => createReader(createForm, options),
    ...createStages(createForm, (exchange, form, proceed) => proceed(exchange))
  }
}

/** Does not touch `req.body` of a request that is not a form. */
function match (req, headers) {
  if (!declaresBody(headers, req)) return EMPTY
  if (isClaimedByLoop(req)) return FINISHED
  return matchHeader(req, headers)
}

/** For a request with a body. */
const matchHeader = (req, headers) => isMultipart(headers['content-type']) ? BYTES : MISMATCH

/** Also of a field that multer cannot read, and so passes on with everything in the form. */
function isMultipart (field) {
  return typeof field === 'string' && (FORM_DATA.test(field) || MULTIPART.test(contentType.parse(field).type))
}

function createReader (createForm, { streamHandler, highWaterMark }) {
  if (streamHandler !== undefined) return createHandlerReader(createForm, streamHandler, highWaterMark)
  const readStream = createStreamReader(createForm, null)
  return (exchange, done) => {
    const { req } = exchange
    // Other code has read the request, or it has been closed, or it never was a stream.
    if (isRead(req) || !isStream(req)) failUnreadable(exchange, done)
    else readStream(exchange, done)
  }
}

/** Reports why nothing can be read, and leaves what other code has made of the request. */
function failUnreadable (exchange, done) {
  const { req, req: { aborted, destroyed, readableEnded } } = exchange
  const isCut = aborted || (destroyed && readableEnded === false) // its client has left, or the app has destroyed it
  const message = `The request was read before, and ${describeContent(req)}`
  // A 500, as the order of the app's middleware is at fault, and not the form.
  const error = isCut ? exchange.aborted() : errors.create(500, message, { type: 'stream.not.readable' })
  becomeAborted(error)
  nextTick(done, exchange, extend(error, { storageErrors: [] })) // as any other error of a form
}

function describeContent (req) {
  const property = ['rawBody', 'body'].find((name) => typeof req[name] === 'string' || isUint8Array(req[name]))
  if (property !== undefined) return `req.${property} has its content: multer({ buffered: true }) parses that`
  const { body, file, files } = req
  const isParsed = [body, file, files].some((result) => Object.keys(Object(result)).length > 0)
  return isParsed ? PARSED : FALLBACK
}

/** @returns {import('../../core/body/feed').CreateSink} */
function createFormOf (options, route) {
  const limitsOf = createLimitsOf(options, route)
  const composed = {
    ...options,
    route,
    decode: decoderOf(options.defParamCharset),
    decodeValue: decoderOf(options.defCharset),
    rules: options.preservePath ? KEEPING : RULES
  }
  return (exchange, feed) => {
    const { length, req } = exchange
    const limits = limitsOf(req)
    req.body = Object.create(null)
    const boundary = findBoundary(req.headers['content-type'])
    const form = new MulterForm(composed, limits, hostOf(exchange))
    if (limits.isRefusedByLength && length > limits.total) {
      // `storageErrors`: as any other error of a form.
      throw formTooLarge({ limit: limits.total, length, storageErrors: [] })
    }
    return new FormReader(form, boundary, limits.ofHeaders, feed)
  }
}

/**
 * @param {string} field the Content-Type of a request that is multipart
 * @throws {Error} in the words of multer, for another type than form-data, and without a boundary
 */
function findBoundary (field) {
  const isFormData = FORM_DATA.test(field) || contentType.parse(field).type === 'multipart/form-data'
  if (!isFormData) throw unsupportedType(field.trim())
  return boundaryOf(field, BOUNDARY)
}

function createLimitsOf ({ fileFilter, limits, storage }, { maxFiles }) {
  // Files that a filter leaves out do not count for the route.
  const facts = { maxFiles: fileFilter === null ? maxFiles : Infinity, isInMemory: isBuiltIn(storage, MemoryStorage) }
  if (typeof limits === 'function') return (req) => completeLimits(checkLimits(limits(req)), facts)
  const complete = completeLimits(limits, facts)
  return () => complete
}

module.exports = describe
