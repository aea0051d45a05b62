'use strict'

// What the parser of a route of multer's is: what its options decide once.

const { decodeNothing } = require('../../core/body/charset')
const { Match, EMPTY, FINISHED, MISMATCH } = require('../../core/body/match')
const createStreamReader = require('../../core/body/stream-reader')
const FormReader = require('../form/form-reader')
const hostOf = require('../form/host')
const replay = require('../form/replay')
const { MULTER, keepPath } = require('../parts/rules')
const { Scanner } = require('../parts/scanner')
const { isClaimedByLoop } = require('../../core/request/claims')
const { hasBody } = require('../../core/request/facts')
const { decoderOf } = require('./charset')
const { boundaryOf, isMultipart } = require('./content-type')
const { formTooLarge } = require('./errors')
const MulterForm = require('./form')
const { checkLimits, completeLimits, MAX_HEADER } = require('./limits')
const createHandlerReader = require('./stream-handler')
const { MemoryStorage, isOwn } = require('./storage')
const { failUnreadable, isUnreadable } = require('./unread')

const FORM = new Match({ decode: decodeNothing })
// Of the header of a part.
const RULES = Object.freeze({ ...MULTER, decoderOf })
const KEEPING = Object.freeze({ ...RULES, splitPath: keepPath })

/**
 * @param {object} options of `multer`, which are checked
 * @param {ReturnType<import('./routes')>} route
 * @param {object} settings of `multipart`, as far as they hold here, too; changed
 * @returns {Partial<import('../../compose').Draft>}
 */
function describe (options, route, settings) {
  settings.limit = Infinity // `limits.total` counts instead
  settings.inflate = false // what is coded is read as it is
  settings.multer = {
    ...route,
    ...options,
    decode: decoderOf(options.defParamCharset),
    rules: options.preservePath ? KEEPING : RULES,
    valueDecoderOf: createValueDecoderOf(options)
  }
  const createForm = createFormOf(settings, createLimitsOf(options, route))
  return {
    charsets: null,
    namespace: 'multer',
    match,
    matchHeader,
    createStreamReader: () => createReader(createForm, options),
    streamStage: (proceed) => (exchange) => proceed(exchange),
    parseStage: createParseStage(createForm)
  }
}

/** Does not touch `req.body` of a request that is not a form. */
function match (req, headers) {
  if (!hasBody(headers, req)) return EMPTY
  if (isClaimedByLoop(req)) return FINISHED
  return matchHeader(req, headers)
}

/** For a request with a body. */
const matchHeader = (req, headers) => isMultipart(headers['content-type']) ? FORM : MISMATCH

/** Parses a form that other code has read before. */
const createParseStage = (createForm) => (proceed) => (exchange, bytes) => {
  replay(exchange, bytes, createForm, show)

  function show (exchange, form, error) {
    if (error === null) return proceed(exchange)
    exchange.undoOnFailure((done, reason) => form.abort(reason, done))
    exchange.fail(error)
  }
}

function createReader (createForm, { streamHandler, highWaterMark }) {
  if (streamHandler !== undefined) return createHandlerReader(createForm, streamHandler, highWaterMark)
  const readStream = createStreamReader(createForm, null)
  return (exchange, done) => {
    if (isUnreadable(exchange.req)) failUnreadable(exchange, done)
    else readStream(exchange, done)
  }
}

function createLimitsOf ({ fileFilter, limits, storage }, { maxFiles }) {
  // Files that a filter leaves out do not count for the route.
  const facts = { maxFiles: fileFilter === null ? maxFiles : Infinity, isInMemory: isOwn(storage, MemoryStorage) }
  if (typeof limits === 'function') return (req) => completeLimits(checkLimits(limits(req)), facts)
  const complete = completeLimits(limits, facts)
  return () => complete
}

function createFormOf (settings, limitsOf) {
  return (exchange, feed) => {
    const { req } = exchange
    const limits = limitsOf(req)
    req.body = Object.create(null)
    const boundary = boundaryOf(req)
    const form = new MulterForm(settings.multer, limits, hostOf(exchange))
    const scanner = new Scanner(boundary, MAX_HEADER, (type) => form.fail(type), perPart(limits.fieldNameSize))
    const { length } = exchange
    if (limits.isRefusedByLength && length > limits.total) {
      // `storageErrors`: as any other error of a form.
      throw formTooLarge({ limit: limits.total, length, storageErrors: [] })
    }
    return new FormReader(scanner, form, feed)
  }
}

/** Bytes of headers on average: 1 KB, or more if names may be longer. */
const perPart = (nameSize) => 824 + Math.max(200, Number.isFinite(nameSize) ? nameSize : 0)

/** @returns {(charset?: string) => ReturnType<typeof decoderOf>} of the value of a part */
function createValueDecoderOf ({ defCharset }) {
  const decode = decoderOf(defCharset)
  return (charset) => charset ? decoderOf(charset) : decode
}

module.exports = describe
