'use strict'

// Option `cooperative` of json: parses large bodies in slices, so that other
// requests are served in between. Takes chunks, and is asynchronous.

const { AsyncResource } = require('node:async_hooks')
const { milliseconds, readSize } = require('../../core/checks')
const { nextTick } = require('../../core/platform')
const errors = require('../../core/errors')
const { missingNext } = require('../../core/body/read-promise')
const { onceOf } = require('../../core/request/listen')
const parseChunks = require('../../json-slices/parse-chunks')
const Task = require('../../json-slices/scheduler')
const utf8 = require('../../json-slices/utf8')
const { assertContainer, findFirstToken } = require('./parse')

const SLICE = 0.25 // ms
const THRESHOLD = 256 * 1024 // bytes

/** @returns {{ slice: number, threshold: number }} ms and bytes */
function checkCooperative (value) {
  const { slice, threshold, ...others } = value // `true` has none of them
  const isRight = value === true || (typeof value === 'object' && !Array.isArray(value))
  if (!isRight || Object.keys(others).length > 0) {
    throw new TypeError('option cooperative must be true, false, or an object of slice and threshold')
  }
  return {
    slice: milliseconds(slice, 'cooperative.slice', SLICE),
    threshold: readSize(threshold, 'cooperative.threshold', THRESHOLD)
  }
}

/**
 * Changes a parser that is being composed, which goes on to parse bodies up to
 * the threshold, and in charsets other than UTF-8.
 */
function parseInSlices (parser, settings) {
  const { threshold } = settings.cooperative
  const parseLarge = createParseLarge(parser, settings)
  return {
    ...parser,
    input: 'chunks',
    isAsync: true,
    wrapMiddleware: (middleware, composed) => createQueue(parser.wrapMiddleware(middleware, composed), threshold),
    traceLine: (chunks) => parser.traceLine(utf8.decode(chunks).next().value),
    parse
  }

  function parse (chunks, charset, req, exchange) {
    if (exchange.decoded > threshold && charset === 'utf-8') {
      return parseLarge(utf8.withoutByteOrderMark(chunks), exchange)
    }
    let text
    try {
      text = exchange.match.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
      return parser.parse(text, charset, req)
    } catch (error) {
      throw errors.unparsable(error, text)
    }
  }
}

/** Reports errors with the messages that `parser` has for them. */
function createParseLarge (parser, { cooperative, depth, onConstructorPoisoning, onProtoPoisoning, strict }) {
  const options = { depth, onConstructorPoisoning, onProtoPoisoning, tooDeep: () => errors.nestedTooDeep(depth) }
  return parseLarge

  function parseLarge (chunks, { req, signal }) {
    const task = new Task(cooperative.slice, signal) // aborts if the client leaves, or a deadline passes
    return task.run(() => work(chunks, task, req))
  }

  async function work (chunks, task, req) {
    let fault
    try {
      const value = chunks.length === 0 ? parser.parse('', 'utf-8', req) : await parseChunks(chunks, task, options)
      if (!strict || chunks.length === 0 || (typeof value === 'object' && value !== null)) return value
    } catch (error) {
      if (task.isInterrupted) throw error
      fault = error
    }
    const { head, text } = await readText(chunks, task)
    const violation = strict ? violationOf(head) : null
    throw errors.unparsable(violation ?? fault, text)
  }
}

/** Intentionally module-level: the requests that wait on each connection. An entry lasts as long as its connection. */
const connections = new WeakMap()

class Connection {
  constructor () {
    this.current = null // the request that may be large and is being read or parsed
    this.waiting = new Set() // middlewares of requests that are pipelined behind it
    this.isProceeding = false
  }

  /** A request that is skipped calls `next`, and so this, at once: a loop, so that the stack does not overflow. */
  proceed () {
    if (this.isProceeding) return
    this.isProceeding = true
    try {
      for (const run of this.waiting) {
        if (this.current !== null) break
        this.waiting.delete(run)
        run()
      }
    } catch (error) { // of `next`; the requests behind are to be read as well
      nextTick(() => this.proceed())
      throw error
    } finally {
      this.isProceeding = false
    }
  }

  /**
   * @param {object} req a request that may be large
   * @param {object} res `next` may never be called: the requests behind wait until this response is closed at most
   * @returns {() => void} to be called before `next`
   */
  enter (req, res) {
    const leave = () => {
      stopListening()
      if (this.current === req) this.current = null
    }
    const leaveAnswered = () => {
      leave()
      this.proceed()
    }
    this.current = req
    const stopListening = onceOf(res, 'close', leaveAnswered)
    return leave
  }
}

function connectionOf ({ httpVersionMajor, stream, socket }) {
  const key = httpVersionMajor === 2 ? stream : socket
  if (Object(key) !== key) return new Connection() // not a request of a server
  if (!connections.has(key)) connections.set(key, new Connection())
  return connections.get(key)
}

/**
 * Back-pressure: a request that is pipelined behind one with a large body is
 * not read before that body is parsed. Its response has to wait for that of the
 * other anyway (RFC 9112, section 9.3.2). Over HTTP/2 none waits, as each has
 * a stream of its own.
 */
function createQueue (middleware, threshold) {
  return Object.defineProperty(cooperativeParser, 'name', { __proto__: null, value: middleware.name })

  function cooperativeParser (req, res, next) {
    if (typeof next !== 'function') throw missingNext()
    const connection = connectionOf(req)
    const { current } = connection
    if (current !== null && current !== req) { // the same one if `verify` or `schema` calls another parser
      connection.waiting.add(AsyncResource.bind(() => callGuarded(cooperativeParser, req, res, next)))
    } else if (current === null && mayExceed(req.headers, threshold)) {
      const leave = connection.enter(req, res)
      callGuarded(middleware, req, res, (...error) => {
        leave()
        try {
          next(...error)
        } finally {
          connection.proceed() // unless another parser reads this request
        }
      })
    } else {
      middleware(req, res, next)
    }
  }
}

/** Passes what the option `type` throws to `next`: nothing else catches it, and other requests would wait for ever. */
function callGuarded (middleware, req, res, next) {
  let nextCalled = false
  try {
    middleware(req, res, (...error) => {
      nextCalled = true
      next(...error)
    })
  } catch (error) {
    if (nextCalled) throw error // thrown by `next`
    next(errors.thrown(error))
  }
}

function mayExceed (headers, bytes) {
  const isCoded = headers['content-encoding'] !== undefined
  return isCoded || headers['transfer-encoding'] !== undefined || headers['content-length'] > bytes
}

const MARGIN = 64 // characters; more than engines quote in a message

/**
 * Decodes a body in slices. The engine joins the pieces when the text is first
 * read, so that must not happen here.
 *
 * @returns {Promise<{ head: string, text: string | undefined }>} the first token, and what is around it; the whole
 *   text, undefined if it is longer than the engine's longest string
 */
async function readText (chunks, task) {
  let head = ''
  let text = ''
  for (const piece of utf8.decode(chunks)) {
    await task.pause()
    if (findFirstToken(head) >= head.length - MARGIN) head = head.slice(-2 * MARGIN) + piece
    try {
      if (text !== undefined) text += piece
    } catch {
      text = undefined
    }
  }
  return { head, text }
}

/** The error of option `strict`; null for an array or an object. */
function violationOf (text) {
  try {
    assertContainer(text)
    return null
  } catch (error) {
    return error
  }
}

module.exports = parseInSlices
module.exports.checkCooperative = checkCooperative
