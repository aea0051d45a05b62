'use strict'

// Composes a parser when its middleware is made. An option is a function of the
// parser that is being composed, which returns it changed (./options).
//
// They are called in the order of ./options/index.js, so each wraps those above it:
// `strict` refuses a text before `depth` and `parse` see it, `cooperative` calls
// what all others make of JSON, and `schema` gets the body that they give.

const { load: loadCharsets } = require('./core/body/charset')
const collect = require('./core/body/collect')
const errors = require('./core/errors')
const Exchange = require('./core/body/exchange')
const { createHeaderMatch, createMatch } = require('./core/body/match')
const readBody = require('./core/body/read-promise')
const { extend, readOptions } = require('./options')
const { createLimitOf } = require('./core/checks')
const { noteLimit } = require('./core/limits')

const OF_BODY_PARSER = ['json', 'raw', 'text', 'urlencoded'] // have its messages
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
 * @property {boolean} isTraced whether the exchange reads the body
 * @property {boolean} keepsBytes whether the bytes may outlive parsing, and so must not be
 *   a part of much larger memory
 * @property {Stage[]} before the stages before `verify`
 * @property {Stage[]} after the stages behind `parse`
 * @property {Stage[]} skip the stages for a request that there is nothing to read of
 * @property {((createDecoder: CreateDecoder | null) => import('./read').Reader) | null} createReader
 *   makes what reads the content instead of the lanes; its argument is null without a content coding
 * @property {Stage | null} parseStage instead of `parse`; sets `req.body`
 * @property {number | Function} [limit] instead of the option, for a parser that enforces that itself
 * @property {(fields: object) => Error} [createTooLarge] instead of body-parser's error
 * @property {((name: string) => object | undefined) | null} findCoding instead of that of ./core/coding/inflate.js
 * @property {((exchange: object) => import('./core/guards').Guard) | null} createGuard
 * @property {(middleware: Function, parser: Parser) => Function} wrap
 * @property {number} [outerLevels] arrays around what `depth` counts
 * @property {(record: unknown) => Promise<unknown>} [validate] of `schema`, for parsers of records
 * @property {() => unknown} [emptyBody] of `empty`, for ./web: creates the body of a request without content
 *
 * @typedef {() => import('node:stream').Duplex} CreateDecoder
 * @typedef {string | Buffer | Buffer[]} Content
 * @typedef {(content: Content, charset: string | null, req: object, context: Context) => unknown} Parse
 * @typedef {{ signal: AbortSignal }} Context
 * @typedef {(exchange: import('./core/body/exchange'), content: Buffer | Buffer[]) => void} Proceed
 *   runs the next stage, or fails the exchange
 * @typedef {(proceed: Proceed) => Proceed} Stage gets the next stage when the parser is composed
 * @typedef {ReturnType<typeof compose>} Parser what `read` needs: the draft, and what it is made into
 */

/** @type {Partial<Draft>} */
const PLAIN = {
  input: 'text',
  isAsync: false,
  isTraced: true,
  traceLine: () => null,
  keepsBytes: false,
  before: [],
  after: [],
  skip: [],
  createReader: null,
  parseStage: null,
  findCoding: null,
  createGuard: null,
  wrap: (middleware) => middleware
}

/**
 * Its caller makes the middleware: V8 compiles a function that is written once
 * for each type faster than one that all share (33 ns for a GET through four).
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
  /** @type {Draft} */
  const draft = extend({ ...PLAIN, name, ...describe(settings) }, settings, true)
  const { charsets, createReader, findCoding, input, limit = settings.limit, parse, skip } = draft
  const { drainLimit, inflate, type, verify } = settings
  const matchHeader = createHeaderMatch({ type, charsets, refusesUnknown: verify !== undefined })
  const plain = { match: createMatch(matchHeader), verify, parse }
  const isLogged = process.env.DEBUG // debug.enable() sets it, too
  const calls = isLogged ? require('./core/insight/debug')(plain, draft, inflate) : plain
  const showsBytes = draft.keepsBytes || verify !== undefined
  const show = OF_BODY_PARSER.includes(name) ? String : require('./core/wording').bound
  const limitOf = typeof limit === 'function' ? createLimitOf(limit) : null

  require('http-errors') // now: a request must not need a file
  if (charsets?.allows('utf-16le')) loadCharsets()
  const parser = {
    ...draft,
    settings, // to show them, and to name the types that it takes
    match: calls.match,
    matchHeader, // the same for a body that is there
    reader: createReader === null ? collect : createReader(null), // of a body without content coding
    chooseReader: inflate ? loadInflate().createChooser(createReader, findCoding, show) : refuseCoding,
    show, // of what a client chose, in a message
    limit: limitOf === null ? limit : Infinity, // bytes
    limitOf,
    limitEntry: noteLimit(name, settings), // for a warning
    drainLimit, // bytes
    takesChunks: input === 'chunks' && !showsBytes,
    keepsBytes: showsBytes || input === 'bytes',
    run: chain(listStages(draft, calls)),
    runSkipped: skip.length > 0 ? chain(skip) : null,
    wrap: (middleware) => decorate(draft.wrap(middleware, parser), parser)
  }
  return parser
}

const loadInflate = () => require('./core/coding/inflate')

/** Option `inflate: false`. An adapter's field that is no string is a TypeError. */
function refuseCoding (headers) {
  throw errors.codingRefused(headers['content-encoding'].toLowerCase())
}

/** @returns {Stage[]} in the order in which they run */
function listStages ({ after, before, input, isAsync, parseStage }, { parse, verify }) {
  const { createAsyncParseStage, createVerifyStage } = isAsync || verify ? require('./core/body/promises') : {}
  return [
    ...before,
    verify && createVerifyStage(verify),
    parseStage ?? (isAsync ? createAsyncParseStage(parse, input) : createParseStage(parse)),
    ...after
  ].filter(Boolean)
}

/** @param {Stage[]} stages */
function chain (stages) {
  return stages.reduceRight((proceed, stage) => stage(proceed), Exchange.succeed)
}

/** Decodes the charset and parses, synchronously. */
const createParseStage = (parse) => (proceed) => function parseStage (exchange, bytes) {
  const { req, match } = exchange
  let content
  try {
    content = match.decode(bytes) // throws for more than the engine's longest string
    req.body = parse(content, match.charset, req)
  } catch (error) {
    exchange.fail(errors.unparsable(error, content))
    return
  }
  proceed(exchange)
}

/** @returns {Function & { read: Function }} */
function decorate (middleware, parser) {
  const hidden = (value) => ({ __proto__: null, configurable: true, writable: true, value })
  return Object.defineProperties(middleware, {
    [INSPECT]: hidden((...rest) => require('./options/show')(middleware, parser, ...rest)),
    read: hidden((req, res) => readBody(middleware, parser.name, req, res))
  })
}

module.exports = createParser
module.exports.compose = compose
