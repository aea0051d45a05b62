'use strict'

// What the parser of a route of multer's is: what its options decide once.

const { BYTES, EMPTY, FINISHED, MISMATCH } = require('../../core/body/match')
const createStreamReader = require('../../core/body/stream-reader')
const { isClaimedByLoop } = require('../../core/request/claims')
const { declaresBody } = require('../../core/request/facts')
const FormReader = require('../form/form-reader')
const { createStages, hostOf } = require('../form/request-form')
const { MULTER, keepPath } = require('../parts/rules')
const { decoderOf } = require('./charsets')
const { formTooLarge } = require('./errors')
const MulterForm = require('./form')
const { checkLimits, completeLimits } = require('./limits')
const { boundaryOf, failUnreadable, isMultipart, isUnreadable } = require('./requests')
const { MemoryStorage, isBuiltIn } = require('./storage')
const createHandlerReader = require('./stream-handler')

// Of the header of a part.
const RULES = Object.freeze({ ...MULTER, decoderOf })
const KEEPING = Object.freeze({ ...RULES, splitPath: keepPath })

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

function createReader (createForm, { streamHandler, highWaterMark }) {
  if (streamHandler !== undefined) return createHandlerReader(createForm, streamHandler, highWaterMark)
  const readStream = createStreamReader(createForm, null)
  return (exchange, done) => {
    if (isUnreadable(exchange.req)) failUnreadable(exchange, done)
    else readStream(exchange, done)
  }
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
    const boundary = boundaryOf(req.headers['content-type'])
    const form = new MulterForm(composed, limits, hostOf(exchange))
    if (limits.isRefusedByLength && length > limits.total) {
      // `storageErrors`: as any other error of a form.
      throw formTooLarge({ limit: limits.total, length, storageErrors: [] })
    }
    return new FormReader(form, boundary, limits.ofHeaders, feed)
  }
}

function createLimitsOf ({ fileFilter, limits, storage }, { maxFiles }) {
  // Files that a filter leaves out do not count for the route.
  const facts = { maxFiles: fileFilter === null ? maxFiles : Infinity, isInMemory: isBuiltIn(storage, MemoryStorage) }
  if (typeof limits === 'function') return (req) => completeLimits(checkLimits(limits(req)), facts)
  const complete = completeLimits(limits, facts)
  return () => complete
}

module.exports = describe
