'use strict'

// Composes a parser from its descriptor and its options, when a middleware is
// made. This file has the extension points:
//
// 1. The descriptor: what `parse` takes, and whether it is asynchronous.
// 2. A wrapper around the middleware: bodies that were read before.
// 3. An observer: of the stages of a parser (DEBUG), here; of each exchange
//    (the tracing channel), in ../read.js.

const { load: loadCharsets } = require('./charset')
const errors = require('./errors')
const { lazy, preload } = require('./lazy')
const { createHeaderMatch, skipWithoutBody } = require('./match')
const { nextTick } = require('./compat')

/**
 * @typedef {object} Descriptor what a type of parser is
 * @property {string} name names the debug channel
 * @property {'text' | 'bytes' | 'chunks'} [input='text'] what `parse` takes: a
 *   string, a Buffer, or a list of Buffers
 * @property {{ allows: (charset: string) => boolean, fallback: string } | null} charsets
 *   null for a parser of bytes
 * @property {(content: string | Buffer | Buffer[], charset: string | null, req: object, exchange: import('./exchange')) => unknown} parse
 * @property {boolean} [isAsync=false] whether `parse` may return a promise
 * @property {(content: string | Buffer) => string | null} describe the last
 *   line of a trace
 */

/**
 * @typedef {object} Parser what `read` needs to know
 * @property {string} name
 * @property {(req: object, headers: object) => import('./match').Match} match
 * @property {(req: object, headers: object) => import('./match').Match} matchHeader
 *   the same, for a body that is there
 * @property {Function | null} source reads the content instead of the lanes
 * @property {(exchange: import('./exchange'), content: Buffer | Buffer[]) => void} run the stages
 * @property {'bytes' | 'chunks'} input what the first stage takes
 * @property {boolean} keepsBytes whether a stage may keep the bytes that it gets
 * @property {number} limit bytes
 * @property {number} drainLimit bytes
 * @property {(() => typeof import('./inflate')) | null} inflate null: content
 *   codings are refused
 * @property {boolean} codingLists
 */

const loadInflate = lazy(() => require('./inflate'))

function preloadInflate () {
  loadInflate().load()
}

/**
 * @param {Descriptor} descriptor
 * @param {ReturnType<import('./options').readCommon>} settings
 * @returns {Parser}
 */
function createParser (descriptor, settings) {
  const { name, charsets, input = 'text', isAsync = false } = descriptor
  const { type, verify, rawBody, buffered, inflate } = settings
  const matchHeader = createHeaderMatch({ type, charsets, refusesUnknown: verify !== undefined })
  const plain = { match: (req, headers) => skipWithoutBody(req, headers) ?? matchHeader(req, headers), verify, parse: descriptor.parse }
  const steps = process.env.DEBUG ? require('../extras/debug').observe(plain, descriptor, inflate) : plain // debug.enable() sets it, too

  const stages = [
    buffered && require('../extras/buffered').markParsed,
    rawBody && require('../extras/raw-body'),
    verify && createVerify(steps.verify),
    isAsync ? createAsyncParse(steps.parse, input) : createParse(steps.parse)
  ].filter(Boolean)
  const showsBytes = rawBody || verify !== undefined

  preload(errors.load)
  if (inflate) preload(preloadInflate)
  if (charsets?.allows('utf-16le')) preload(loadCharsets)
  return {
    name,
    match: steps.match,
    matchHeader,
    source: null,
    run: compose(stages),
    input: input === 'chunks' && !showsBytes ? 'chunks' : 'bytes',
    keepsBytes: showsBytes || charsets === null,
    limit: settings.limit,
    drainLimit: settings.drainLimit,
    inflate: inflate ? loadInflate : null,
    codingLists: settings.codingLists
  }
}

/**
 * Each stage gets the content and a function for the next one, or fails the
 * exchange; the last one sets `req.body`.
 *
 * @param {Array<(exchange: object, content: Buffer | Buffer[], proceed: Function) => void>} stages
 */
function compose (stages) {
  return stages.reduceRight((proceed, stage) => (exchange, content) => stage(exchange, content, proceed), undefined)
}

/** Decodes the charset and parses, synchronously. */
function createParse (parse) {
  return function parseStage (exchange, bytes) {
    const { req, match } = exchange
    let content
    try {
      content = match.decode(bytes) // throws for more than the engine's longest string
      req.body = parse(content, match.charset, req)
    } catch (error) {
      exchange.fail(errors.unparsable(error, content))
      return
    }
    exchange.succeed()
  }
}

/** For a parser of the app's own, and for one that takes chunks and reports its own errors. */
function createAsyncParse (parse, input) {
  return function asyncParseStage (exchange, bytes) {
    const { req, match } = exchange
    let content
    let value
    let isPromise
    try {
      if (input === 'chunks') content = Array.isArray(bytes) ? bytes : [bytes]
      else content = match.decode(bytes)
      value = parse(content, match.charset, req, exchange)
      isPromise = typeof value?.then === 'function'
    } catch (error) {
      fail(error)
      return
    }
    if (isPromise) settle(value, succeed, fail)
    else succeed(value)

    function succeed (value) {
      try {
        req.body = value
      } catch (error) { // a setter of the app's
        exchange.fail(errors.unparsable(error))
        return
      }
      exchange.succeed()
    }

    function fail (error) {
      exchange.fail(input === 'chunks' ? error : errors.unparsable(errors.unshare(error), content))
    }
  }
}

function createVerify (verify) {
  return function verifyStage (exchange, bytes, proceed) {
    const { req, res, match } = exchange
    const fail = (error) => exchange.fail(errors.unverified(errors.unshare(error), bytes))
    let verdict
    let isPromise
    try {
      verdict = verify(req, res, bytes, match.charset)
      isPromise = typeof verdict?.then === 'function'
    } catch (error) {
      fail(error)
      return
    }
    if (isPromise) settle(verdict, () => proceed(exchange, bytes), fail)
    else proceed(exchange, bytes)
  }
}

/**
 * Leaves the call stack of the promise, so that what `next` throws does not
 * become a rejection. The promise around it settles once, whatever `then`
 * does: Promise.resolve would return a promise that has a `then` of its own.
 */
function settle (promise, succeed, fail) {
  new Promise((resolve) => resolve(promise)).then((value) => nextTick(succeed, value), (error) => nextTick(fail, error))
}

/**
 * @param {(req: object, res: object, next: Function) => void} middleware
 * @param {Parser} parser
 * @param {ReturnType<import('./options').readCommon>} settings
 * @returns {typeof middleware} as it is, or in the wrapper that an option asks for
 */
function wrap (middleware, parser, settings) {
  return settings.buffered ? require('../extras/buffered').wrap(middleware, parser) : middleware
}

module.exports = { createParser, wrap }
