'use strict'

// Composes a parser when its middleware is made. An option is a function of the
// parser that is being composed, which returns it changed (./options).
//
// They are called in the order of ./options/table.js, so each wraps those above it:
// `strict` refuses a text before `depth` and `parse` see it, and `schema` gets the
// body that all others give. `cooperative` calls them for small bodies alone: what
// they do with a large one, it has to do itself.

const { decoderOf, load: loadCharsets } = require('./core/body/charset')
const { collect, collectChunks, collectToKeep } = require('./core/body/collect')
const errors = require('./core/errors')
const Exchange = require('./core/body/exchange')
const { createHeaderMatch, createMatch } = require('./core/body/match')
const { readBody } = require('./core/body/read-promise')
const { isRead } = require('./core/request/facts')
const { extend, factoryOf, readOptions, showParser } = require('./options/read-options')
const { createLimitOf, isMediaType } = require('./core/checks')
const { registerLimit } = require('./core/hidden-limit')

const OF_BODY_PARSER = ['json', 'raw', 'text', 'urlencoded'] // have its messages, and its answer to what was read
const INSPECT = Symbol.for('nodejs.util.inspect.custom') // what console.log calls

/**
 * @typedef {object} Draft a parser that is being composed
 * @property {string} name
 * @property {'text' | 'bytes' | 'chunks'} input what `parse` takes: a string, a
 *   Buffer, or a list of Buffers, of which it reports errors itself
 * @property {{ allows: (charset: string) => boolean, fallback: string } | null} charsets
 *   null for a parser of bytes
 * @property {Parse} parse
 * @property {boolean} isAsync whether `parse` may return a promise
 * @property {(content: string | Buffer) => string | null} traceLine the last line of DEBUG
 * @property {string} namespace of these lines, behind `body-parser:`
 * @property {((req: object, headers: object) => import('./core/body/match').Match) | null} match instead of that of
 *   ./core/body/match.js; with it goes `matchHeader`, for a request with a body
 * @property {((req: object, headers: object) => import('./core/body/match').Match) | null} matchHeader
 * @property {boolean} isTraced whether diagnostics trace the exchange; false if a loop reads the body in another one
 * @property {boolean} keepsBytes whether the bytes may outlive parsing, and so must not be
 *   a part of much larger memory
 * @property {Stage[]} before the stages before `verify`
 * @property {Stage[]} after the stages behind `parse`
 * @property {Stage[]} skip the stages for a request that there is nothing to read of
 * @property {Stage | null} parseStage of a whole body, instead of `parse`; sets `req.body`
 * @property {((createDecoder: CreateDecoder | null) => import('./read').StreamReader) | null} createStreamReader
 *   for a parser that does not wait for the whole body; its argument is null without a content coding
 * @property {StreamStage} [streamStage] follows a stream reader; sets `req.body`
 * @property {number | Function} [limit] instead of the option, for a parser that enforces that itself
 * @property {(fields: object) => Error} [createTooLarge] instead of body-parser's error
 * @property {boolean} ignoresCodings whether a coded body is read as it is
 * @property {((name: string) => object | undefined) | null} findCoding instead of that of ./core/coding/coded-body.js
 * @property {((req: object) => boolean) | null} isUnreadable whether other code has read the request; null for the
 *   parsers of body-parser, which go by field `readable`, and pass on a duplex stream whose writable side is ended
 * @property {typeof Exchange} Exchange the class of its exchanges
 * @property {(exchange: object) => object} [createGuards] its `reservation` and `deadline`, if the class asks
 * @property {(collect: import('./core/body/collect').Collect) => import('./core/body/collect').Collect} guardCollect
 *   changes the readers of whole bodies
 * @property {(field: string | undefined) => import('./core/source/content-digest').ContentDigest | null} openDigest
 *   of `contentDigest`, for stream readers: what the content is compared with
 * @property {(middleware: Function, parser: Parser) => Function} wrapMiddleware changes the middleware
 * @property {(middleware: Function, parser: Parser) => Function} wrapRead changes that for `read`
 * @property {((req: object) => boolean) | null} isOwn for a parser that never skips a body of its type: whether `req`
 *   has what this parser has made of it. Other code that has read it is an error
 * @property {boolean} refusesRead whether that is told before anything else
 * @property {number} [outerLevels] of arrays around an item in the text that is parsed: `depth` does not count them
 * @property {(record: unknown) => Promise<unknown>} [validate] of `schema`, for parsers of records
 * @property {() => unknown} [emptyBody] of `empty`, for ./web: creates the body of a request without content
 *
 * @typedef {() => import('node:stream').Duplex} CreateDecoder
 * @typedef {string | Buffer | Buffer[]} Content
 * @typedef {(content: Content, charset: string | null, req: object, context: Context) => unknown} Parse
 * @typedef {{ signal: AbortSignal }} Context
 * @typedef {(exchange: Exchange, content: Buffer | Buffer[]) => void} Proceed
 *   runs the next stage, or fails the exchange
 * @typedef {(proceed: Proceed) => Proceed} Stage gets the next stage when the parser is composed
 * @typedef {(proceed: Proceed) => (exchange: Exchange, source: unknown) => void} StreamStage the same, of what the
 *   stream reader of this parser gives: a form, or a function that creates the chunks of a loop
 * @typedef {ReturnType<typeof compose>} Parser the finished parser: the draft, with its readers and
 *   its chains of stages
 */

/** @type {Partial<Draft>} */
const DEFAULTS = {
  input: 'text',
  isAsync: false,
  isTraced: true,
  traceLine: () => null,
  keepsBytes: false,
  before: [],
  after: [],
  skip: [],
  parseStage: null,
  createStreamReader: null,
  findCoding: null,
  ignoresCodings: false,
  match: null,
  matchHeader: null,
  Exchange,
  guardCollect: (collect) => collect,
  openDigest: () => null,
  wrapMiddleware: (middleware) => middleware,
  wrapRead: (middleware) => middleware,
  isOwn: null,
  refusesRead: true
}

/**
 * Each factory of types/ writes a middleware function of its own, so that V8 optimizes it for that parser alone:
 * shared by all parsers, it would slow down each GET that passes them (npm run bench -- --filter=get).
 *
 * @param {string} name
 * @param {unknown} options
 * @param {(settings: object) => Partial<Draft>} describe what this type of parser is
 * @throws {TypeError} for an option that is wrong
 */
function createParser (name, options, describe) {
  return compose(name, readOptions(name, options), describe)
}

/** @param {object} settings options that are read */
function compose (name, settings, describe) {
  const isUnreadable = OF_BODY_PARSER.includes(name) ? null : isRead
  /** @type {Draft} */
  const draft = extend({ ...DEFAULTS, isUnreadable, name, namespace: name, ...describe(settings) }, settings, true)
  const { charsets, createStreamReader, Exchange: { end }, parse, skip } = draft
  const { drainLimit, inflate, type, verify } = settings
  const matchSettings = { type, charsets, refusesUnknown: verify !== undefined }
  const matchHeader = draft.matchHeader ?? createHeaderMatch(matchSettings, createTypeTest, decoderOf)
  const unlogged = { match: draft.match ?? createMatch(matchHeader, draft), verify, parse }
  const mayLog = Boolean(process.env.DEBUG) // debug.enable() sets it, too
  const calls = mayLog ? require('./core/insight/debug')(unlogged, draft, inflate) : unlogged
  const runWhole = chain(listWholeStages(draft, calls), end)

  require('http-errors') // now: a request must not need a file
  if (charsets?.allows('utf-16le')) loadCharsets()
  const parser = {
    ...draft,
    ...composeReaders(draft, settings),
    settings, // to show them, and to name the types that it takes
    match: calls.match,
    matchHeader, // by the header alone, where a body is known to be there
    limitEntry: registerLimit(factoryOf(name), settings), // warns if a parser before this one hides its limit
    drainLimit, // bytes
    run: createStreamReader === null ? runWhole : chain([...draft.before, draft.streamStage, ...draft.after], end),
    runWhole, // for option `buffered`, which has the whole body of a stream parser as well
    runSkipped: skip.length > 0 ? chain(skip, end) : null,
    decorate: (middleware) => decorate(draft.wrapMiddleware(middleware, parser), parser, middleware.name)
  }
  return parser
}

/** Compares whole media types; leaves names and patterns to type-is. */
function createTypeTest (type) {
  const types = Array.isArray(type) ? [...type] : [type]
  if (types.length > 0 && types.every(isMediaType)) return (value, mediaType) => types.includes(mediaType)
  const typeis = require('type-is')
  return (value) => typeis.is(value, types) !== false
}

/** What reads a body: without a content coding `reader`, with one what `chooseReader` gives. */
function composeReaders (draft, { inflate, limit: option, verify }) {
  const { createStreamReader, guardCollect, input, keepsBytes, limit = option, name } = draft
  const truncateInput = OF_BODY_PARSER.includes(name) ? String : require('./core/wording').truncate
  const bytesOutlive = keepsBytes || verify !== undefined
  const collectCoded = guardCollect(bytesOutlive ? collectToKeep : collect) // for a decoder
  const collectPlain = bytesOutlive ? collectCoded : guardCollect(COLLECTORS[input])
  const reader = createStreamReader === null ? collectPlain : createStreamReader(null)
  const choose = createChoice(draft, { inflate, reader, truncateInput })
  const isFunction = typeof limit === 'function'
  const withLimit = isFunction ? createBound(createLimitOf(limit)) : (reader) => reader
  return {
    withLimit,
    chooseReader: isFunction ? (headers) => withLimit(choose(headers)) : choose,
    collectCoded,
    limit: isFunction ? Infinity : limit, // bytes
    reader: withLimit(reader),
    truncateInput // of what a client chose, in a message
  }
}

/** @returns {(headers: object) => import('./read').Reader} what chooses the reader of a coded body */
function createChoice ({ createStreamReader, findCoding, ignoresCodings }, { inflate, reader, truncateInput }) {
  if (ignoresCodings) return () => reader
  if (!inflate) return refuseCoding
  return require('./core/coding/coded-body').createChooser(createStreamReader, findCoding, truncateInput)
}

const COLLECTORS = { text: collect, bytes: collectToKeep, chunks: collectChunks }

/**
 * Option `limit`, where it is a function of the request.
 *
 * @param {(req: object) => number} limitOf
 * @returns {(reader: import('./read').Reader) => import('./read').Reader}
 */
const createBound = (limitOf) => (reader) => (exchange, done) => {
  try {
    exchange.setLimit(limitOf(exchange.req))
  } catch (error) {
    exchange.fail(errors.thrown(error))
    return
  }
  reader(exchange, done)
}

/** Option `inflate: false`. An adapter's field that is no string is a TypeError. */
function refuseCoding (headers) {
  throw errors.codingRefused(headers['content-encoding'].toLowerCase())
}

/** @returns {Stage[]} of a whole body, in the order in which they run */
function listWholeStages ({ after, before, input, isAsync, parseStage }, { parse, verify }) {
  const mayPromise = isAsync || verify
  const { createAsyncParseStage, createVerifyStage } = mayPromise ? require('./core/body/stages') : {}
  const waitForApp = mayPromise ? require('./core/body/wait-for-app') : null
  return [
    ...before,
    verify && createVerifyStage(verify, waitForApp),
    parseStage ?? (isAsync ? createAsyncParseStage(parse, input, waitForApp) : createParseStage(parse)),
    ...after
  ].filter(Boolean)
}

/**
 * @param {Stage[]} stages
 * @param {(exchange: Exchange) => void} end
 */
function chain (stages, end) {
  return stages.reduceRight((proceed, stage) => stage(proceed), end)
}

/** Decodes the charset and parses, synchronously. */
const createParseStage = (parse) => (proceed) => function parseStage (exchange, bytes) {
  const { req, match } = exchange
  let content
  try {
    content = match.decode(bytes) // throws for more than the engine's longest string
    req.body = parse(content, match.charset, req) // `exchange.setField` would be one call more for each body
  } catch (error) {
    exchange.fail(errors.unparsable(error, content))
    return
  }
  proceed(exchange)
}

/** @returns {Function & { read: Function }} */
function decorate (middleware, parser, name) {
  const hidden = (value) => ({ __proto__: null, configurable: true, writable: true, value })
  const reading = parser.wrapRead(middleware, parser)
  return Object.defineProperties(middleware, {
    name: { __proto__: null, value: name },
    [INSPECT]: hidden((...rest) => showParser(middleware, parser, ...rest)),
    read: hidden((req, res) => readBody(reading, parser.name, req, res))
  })
}

module.exports = createParser
module.exports.compose = compose
