'use strict'

// The parser of a route of multer's: what its options decide once.

const { decodeNothing } = require('../body/charset')
const createFeed = require('../body/feed')
const { Match, EMPTY, FINISHED, MISMATCH } = require('../body/match')
const createParser = require('../compose')
const { readOptions } = require('../options')
const { nextTick } = require('../platform')
const { isClaimedByLoop } = require('../request/claims')
const { hasBody } = require('../request/facts')
const { decoderOf } = require('./charset')
const { boundaryOf, isMultipart } = require('./content-type')
const { MulterError } = require('./errors')
const MulterForm = require('./form')
const { checkLimits, completeLimits, MAX_HEADER } = require('./limits')
const createHandlerReader = require('./stream-handler')
const { MemoryStorage, isOwn } = require('./storage')

const FORM = new Match({ decode: decodeNothing })
const PASSED_ON = ['budget', 'drainLimit', 'minRate', 'timeout'] // options of `multipart` that hold here, too

/**
 * @param {object} options of `multer`, which are checked
 * @param {ReturnType<import('./routes')>} route
 * @returns {import('../compose').Parser}
 */
module.exports = function createMulterParser (options, route) {
  const settings = readOptions('multipart', Object.fromEntries(PASSED_ON.map((name) => [name, options[name]])))
  settings.limit = Infinity // `limits.total` counts instead
  settings.parts = { ...settings.parts, header: MAX_HEADER }
  settings.multer = {
    ...route,
    ...options,
    decodeName: createDecodeName(options),
    valueDecoderOf: createValueDecoderOf(options)
  }
  const limitsOf = createLimitsOf(options, route)
  const createForm = createFormOf(settings, limitsOf)
  const parser = createParser.compose('multipart', settings, () => ({
    charsets: null,
    input: 'bytes',
    createReader: () => createReader(createForm, options),
    parseStage: (proceed) => (exchange) => proceed(exchange)
  }))
  return { ...parser, match, chooseReader: () => parser.reader } // content codings are not undone
}

/** Does not touch `req.body` of a request that is not a form. */
function match (req, headers) {
  if (!hasBody(headers, req)) return EMPTY
  if (isClaimedByLoop(req)) return FINISHED
  return isMultipart(headers['content-type']) ? FORM : MISMATCH
}

function createReader (createForm, { streamHandler, highWaterMark }) {
  if (streamHandler !== undefined) return createHandlerReader(createForm, streamHandler, highWaterMark)
  const feed = createFeed(createForm, null)
  return (exchange, done) => {
    const { req } = exchange
    if (req.readable === false) failUnread(exchange, createForm, done)
    else feed(exchange, done)
  }
}

/** Its client has left before; or something else has read the request: the form is empty, and so lacks its end. */
function failUnread (exchange, createForm, done) {
  const settled = (error) => nextTick(() => form.abort(error, () => done(exchange, error)))
  let form
  try {
    form = createForm(exchange, { settled })
    if (exchange.req.aborted) form.settle(exchange.aborted())
    else form.end()
  } catch (error) {
    nextTick(done, exchange, error)
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
    const form = new MulterForm(boundary, { ...settings, limits }, exchange, feed)
    if (exchange.length > limits.total) {
      throw Object.assign(new MulterError('LIMIT_TOTAL_SIZE'), { storageErrors: [] }) // as any other of a form
    }
    return form
  }
}

const NOT_ASCII = /[\x80-\xFF]/

/** @returns {(text: string) => string} of a name, with one character for each byte */
function createDecodeName ({ defParamCharset }) {
  const decode = decoderOf(defParamCharset)
  const isAscii = decode(Buffer.from('a')) === 'a' // or a superset of it
  return (text) => isAscii && !NOT_ASCII.test(text) ? text : decode(Buffer.from(text, 'latin1'))
}

/** @returns {(charset?: string) => ReturnType<typeof decoderOf>} of the value of a part */
function createValueDecoderOf ({ defCharset }) {
  const decode = decoderOf(defCharset)
  return (charset) => charset ? decoderOf(charset) : decode
}
