'use strict'

// Composes a parser from its descriptor and its options, when a middleware is
// made. This file has the extension points:
//
// 1. The descriptor: what `parse` takes, and whether it is asynchronous.
// 2. A wrapper around the middleware: see `wrap`.
// 3. An observer: of each exchange (see exchange.js; the tracing channel, in
//    ../read.js); of the stages of a parser (DEBUG), here.

const { load: loadCharsets } = require('./charset')
const { load: loadClose } = require('./drain')
const errors = require('./errors')
const { lazy, preload } = require('./lazy')
const { createHeaderMatch, skipWithoutBody } = require('./match')

/**
 * @typedef {object} Descriptor what a type of parser is
 * @property {string} name names the debug channel
 * @property {'text' | 'bytes' | 'chunks'} [input='text'] what `parse` takes: a
 *   string, a Buffer, or a list of Buffers, of which it reports errors itself
 * @property {{ allows: (charset: string) => boolean, fallback: string } | null} charsets
 *   null for a parser of bytes
 * @property {(content: string | Buffer | Buffer[], charset: string | null, req: object, exchange: import('./exchange')) => unknown} parse
 * @property {boolean} [isAsync] whether `parse` may return a promise
 * @property {(content: string | Buffer) => string | null} [describe] last line of a trace
 * @property {(middleware: Function) => Function} [wrap]
 * @property {(createDecoders: ((limit: number) => Array<import('node:stream').Duplex>) | null) => import('../read').Source} [createSource]
 *   makes what reads the content instead of the lanes; null: no content coding
 * @property {(exchange: import('./exchange'), content: unknown, proceed: Function) => void} [parseStage]
 *   instead of `parse`; sets `req.body`
 * @property {object} [options] those in effect that other types of parsers lack, to show them
 * @typedef {ReturnType<typeof createParser>} Parser what `read` needs
 */

const INSPECT = Symbol.for('nodejs.util.inspect.custom') // what console.log calls

const loadInflate = lazy(() => require('./inflate'))
const preloadInflate = () => loadInflate().load()

/**
 * @param {Descriptor} descriptor
 * @param {ReturnType<import('./options').readCommon>} settings
 */
function createParser (descriptor, settings) {
  const { name, charsets, createSource = null, input = 'text', isAsync = false, parseStage } = descriptor
  const { type, verify, rawBody, buffered, inflate } = settings
  const limitFor = typeof settings.limit === 'function' ? require('../extras/request-limit') : null
  const findCoding = settings.codingLists ? require('../extras/coding-lists') : null
  const matchHeader = createHeaderMatch({ type, charsets, refusesUnknown: verify !== undefined })
  const functions = { match: (req, headers) => skipWithoutBody(req, headers) ?? matchHeader(req, headers), verify, parse: descriptor.parse }
  const observed = process.env.DEBUG ? require('../extras/debug').observe(functions, descriptor, inflate) : functions // debug.enable() sets it, too

  const validate = settings.schema !== undefined && require('../extras/schema').createStage(settings.schema)
  const stages = [
    buffered && require('../extras/buffered').markParsed,
    rawBody !== false && require('../extras/raw-body').createStage(settings),
    verify && createVerify(observed.verify),
    parseStage ?? (isAsync ? require('../extras/async').createAsyncParse(observed.parse, input) : createParse(observed.parse)),
    validate
  ].filter(Boolean)
  const skipStages = [
    descriptor.skipStage,
    validate && require('../extras/schema').refuseUnread,
    validate
  ].filter(Boolean)
  const showsBytes = rawBody !== false || verify !== undefined

  preload(errors.load)
  preload(loadClose)
  if (inflate) preload(preloadInflate)
  if (charsets?.allows('utf-16le')) preload(loadCharsets)
  return {
    name,
    descriptor, // to show its options
    match: observed.match,
    matchHeader, // the same for a body that is there
    source: null, // reads the content instead of the lanes
    createSource,
    run: compose(stages),
    runSkipped: skipStages.length > 0 ? compose(skipStages) : null, // for a request that there is nothing to read of
    takesChunks: input === 'chunks' && !showsBytes,
    keepsBytes: showsBytes || input === 'bytes', // a stage may keep what it gets
    type, // names what it takes
    begin: limitFor && ((exchange) => { exchange.limit = limitFor(settings.limit, exchange.req) }),
    limit: settings.limit, // bytes
    drainLimit: settings.drainLimit, // bytes
    inflate: inflate ? loadInflate : null,
    findCoding: rawBody === 'coded' ? require('../extras/raw-body').keepCoded(findCoding) : findCoding,
    observe: settings.observe // makes the observer of an exchange
  }
}

/**
 * Each stage gets the content and a function for the next one, or fails the
 * exchange; the parser among them sets `req.body`.
 *
 * @param {Array<(exchange: object, content: Buffer | Buffer[], proceed: Function) => void>} stages
 */
function compose (stages) {
  return stages.reduceRight((proceed, stage) => (exchange, content) => stage(exchange, content, proceed), (exchange) => exchange.succeed())
}

/** Decodes the charset and parses, synchronously. */
function createParse (parse) {
  return function parseStage (exchange, bytes, proceed) {
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
}

function createVerify (verify) {
  const { isolateError, settle } = require('../extras/async')
  const takesSignal = verify.length > 4
  return function verifyStage (exchange, bytes, proceed) {
    const { req, res, match } = exchange
    const fail = (error) => exchange.fail(errors.unverified(error, bytes))
    let verdict
    let isPromise
    try {
      verdict = takesSignal
        ? verify(req, res, bytes, match.charset, { get signal () { return exchange.signal } })
        : verify(req, res, bytes, match.charset) // mocks may count the arguments
      isPromise = typeof verdict?.then === 'function'
    } catch (error) {
      fail(error)
      return
    }
    if (isPromise) settle(exchange, verdict, () => proceed(exchange, bytes), (error) => fail(isolateError(error)))
    else proceed(exchange, bytes)
  }
}

/**
 * @param {(req: object, res: object, next: Function) => void} middleware
 * @param {Parser} parser
 * @param {ReturnType<import('./options').readCommon>} settings
 * @returns {typeof middleware & { read: Function }} in the wrappers that options ask for
 */
function wrap (middleware, parser, settings) {
  const { buffered } = settings
  const { wrap: wrapType = (middleware) => middleware } = parser.descriptor
  const wrapped = wrapType(buffered ? require('../extras/buffered').wrap(middleware, parser) : middleware)
  const read = (req, res) => require('../extras/promise')(wrapped, req, res)
  const inspect = (...rest) => require('../extras/inspect')(wrapped, parser, settings, ...rest)
  Object.defineProperty(wrapped, INSPECT, { value: inspect, configurable: true, writable: true })
  return Object.defineProperty(wrapped, 'read', { value: read, configurable: true, writable: true })
}

module.exports = { createParser, wrap }
