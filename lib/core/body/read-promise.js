'use strict'

// `read` of every middleware: a promise of the body.

const errors = require('../errors')
const { markHandled } = require('../handled-promise')
const sharedTables = require('../shared-tables')
const { hasHeaders, hasClientLeft, isStream } = require('../request/facts')

/**
 * @param {string} parserName for messages
 * @returns {Promise<unknown>} of `req.body`; the same for the same middleware.
 *   Other parsers run in sequence; a failure stops them
 */
function readBody (middleware, parserName, req, res) {
  if (!hasHeaders(req)) return markHandled(Promise.reject(errors.notARequest('read()', parserName, req)))
  const reads = RequestReads.of(req, res)
  const { promises } = reads
  if (promises.has(middleware)) return promises.get(middleware)
  const run = () => new Promise((resolve, reject) => {
    middleware(req, res, (...error) => {
      if (error.length > 0) reject(error[0])
      else if (hasClientLeft(req)) reject(errors.aborted(null, 0)) // skipped as nothing can be read
      else resolve(req.body)
    })
  })
  reads.beginParsing()
  const promise = ([...promises.values()].at(-1)?.then(run) ?? run()).finally(() => reads.endParsing())
  promises.set(middleware, promise)
  return markHandled(promise)
}

/**
 * What parsers know of one request. An object that is a stream stands for one request. An adapter may put its next
 * request into any other object, and no event says so: such an object counts as the same request while parsers are at
 * work, and after that until one of its fields is replaced.
 */
class RequestReads {
  constructor (req, res) {
    this.req = req
    this.res = res
    this.isParsed = false // by a parser with option `buffered`
    this.promises = new Map() // middleware -> what its `read` has given
    this.parsers = 0 // at work
    this.seen = null
    this.recordRead()
  }

  /** @returns {RequestReads} of the request that is in the object now */
  static of (req, res) {
    sharedTables.visits ??= new WeakMap()
    const known = sharedTables.visits.get(req)
    if (known !== undefined && !known.isOtherRequest(res)) return known
    const reads = new RequestReads(req, res)
    sharedTables.visits.set(req, reads)
    return reads
  }

  beginParsing () {
    this.parsers++
  }

  endParsing () {
    if (--this.parsers === 0) this.recordRead()
  }

  recordRead () {
    if (!isStream(this.req)) this.seen = factsOf(this.req, this.res)
  }

  isOtherRequest (res) {
    if (this.seen === null || this.parsers > 0) return false
    return factsOf(this.req, res).some((value, index) => value !== this.seen[index])
  }
}

const UNKNOWN = NaN // differs from itself

const factsOf = (req, res) => [res, fieldOf(req, 'headers'), fieldOf(req, 'rawBody'), fieldOf(req, 'body')]

/** Calls no getter of the object itself: an adapter that defines one expects one call. */
function fieldOf (req, name) {
  const { get, value } = Object.getOwnPropertyDescriptor(req, name) ?? { value: undefined }
  if (get !== undefined) return UNKNOWN
  try {
    return value ?? req[name]
  } catch { // of an inherited getter
    return UNKNOWN
  }
}

/** For a parser that was called as `read` should have been. Thrown at once: later, nothing would catch it. */
function missingNext () {
  return new TypeError('next is not a function: without one, call `await parser.read(req, res)`')
}

module.exports = { missingNext, readBody, RequestReads }
