'use strict'

// May this request's body be read by this parser? Most requests end here, so
// the answer for a Content-Type is worked out once and remembered.

const contentType = require('content-type')
const { decoderOf, decodeNothing } = require('./decode')

/** What a Content-Type means to one parser. */
class Decision {
  constructor (skip, charset, decode, refused) {
    this.skip = skip // nothing to do here: next()
    this.charset = charset // lower case; null for parsers of bytes
    this.decode = decode // bytes -> text; null if the charset is unknown
    this.refused = refused // why to answer 415 before anything is read, or null
  }
}

const FINISHED = new Decision(true, null, null, null)
const EMPTY = new Decision(true, null, null, null)
const MISMATCH = new Decision(true, null, null, null)

/**
 * @param {object} settings
 * @param {unknown} settings.type media type, extension name or pattern, a list
 *   of these, or a function of the request
 * @param {{ allows: (charset: string) => boolean, fallback: string } | null} settings.charsets
 *   which charsets are accepted and which is meant when none is named; null
 *   for a parser of bytes
 * @param {boolean} settings.early refuse a charset that nobody can decode at
 *   once, instead of after the checks of the reading
 * @param {(req: object, headers: object) => Decision | null} [settings.admit]
 *   why there is no body to read; null if there is one
 * @returns {(req: object, headers: object) => Decision}
 */
function createGate ({ type, charsets, early, admit = enter }) {
  const decideCharset = charsets === null ? decideBytes : charsetDecider(charsets, early)

  if (typeof type === 'function') {
    const decide = memoize((header) => decideCharset(contentType.parse(header)))
    return (req, headers) => {
      const closed = admit(req, headers)
      if (closed !== null) return closed
      ensureBody(req)
      return type(req) ? decide(headers['content-type'] || '') : MISMATCH
    }
  }

  const matches = matcherOf(type)
  const decide = memoize((header) => {
    const parsed = contentType.parse(header)
    return matches(header, parsed) ? decideCharset(parsed) : MISMATCH
  })
  return (req, headers) => {
    const closed = admit(req, headers)
    if (closed !== null) return closed
    const header = headers['content-type']
    const decision = header ? decide(header) : MISMATCH
    if (decision.skip || decision.refused !== null) ensureBody(req)
    return decision
  }
}

/** Why there is no body to read; null if there is one. */
function enter (req, headers) {
  if (hasBody(req, headers)) return isFinished(req) ? FINISHED : null
  // The outcome is next() either way, so a stack of parsers asks only once
  // whether the request is finished: the first one creates `req.body`, and
  // the others find it.
  if ('body' in req) return EMPTY
  if (isFinished(req)) return FINISHED
  req.body = undefined
  return EMPTY
}

/**
 * `req.body` exists once a parser has seen the request. Where a value is going
 * to be put in anyway this is left out: on a request with a swapped prototype,
 * such as Express's, every access costs.
 */
function ensureBody (req) {
  if (!('body' in req)) req.body = undefined
}

/**
 * RFC 9112, section 6: a message has content if Transfer-Encoding or
 * Content-Length says so. HTTP/2 needs neither (RFC 9113, section 8.1): there
 * the END_STREAM flag of the header block tells.
 */
function hasBody (req, headers) {
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  if (length !== undefined) return !isNaN(length)
  return headers[':method'] !== undefined && req.stream?.endAfterHeaders === false
}

const givenUp = new WeakSet() // connections that nothing more is read from

/**
 * Requests that had come in whole before are still to be read.
 *
 * @param {import('node:net').Socket} socket which says that it is not readable any more
 */
function giveUp (socket) {
  givenUp.add(socket)
}

/** Read to its end, upgraded, or cut off: there is nothing left to read. */
function isFinished (req) {
  const complete = req.complete
  if (typeof complete !== 'boolean') return false // not a request of Node's
  const socket = req.socket
  if (req.upgrade || !socket || (complete && !req.readable)) return true
  return !socket.readable && !(complete && givenUp.has(socket))
}

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** Whole media types are compared here; names and patterns are type-is's. */
function matcherOf (type) {
  const types = Array.isArray(type) ? [...type] : [type]
  const isWhole = (item) => typeof item === 'string' && MEDIA_TYPE.test(item)
  if (types.length > 0 && types.every(isWhole)) {
    return (header, parsed) => types.includes(parsed.type)
  }
  const typeis = require('type-is')
  return (header) => typeis.is(header, types) !== false
}

function charsetDecider ({ allows, fallback }, early) {
  return ({ parameters }) => {
    const charset = parameters.charset?.toLowerCase() || fallback
    if (!allows(charset)) return new Decision(false, charset, null, 'not allowed')
    const decode = decoderOf(charset)
    if (decode === null) return new Decision(false, charset.toLowerCase(), null, early ? 'unknown' : null)
    return new Decision(false, charset, decode, null)
  }
}

const BYTES = new Decision(false, null, decodeNothing, null)

function decideBytes () {
  return BYTES
}

const REMEMBERED = 8 // Content-Type values
const LONGEST = 64 // characters; a multipart boundary makes a longer one

/**
 * Remembers the latest decisions by the header's text. So few are compared
 * faster than one is hashed, and a stranger's new values cost little more than
 * deciding does, however many they are (bench/gate.js).
 */
function memoize (decide) {
  const headers = new Array(REMEMBERED).fill(null)
  const decisions = new Array(REMEMBERED).fill(null)
  let latest = 0 // mostly the next one is the same
  let newest = 0
  return (header) => {
    if (header === headers[latest]) return decisions[latest]
    if (header.length > LONGEST) return decide(header)
    const known = headers.indexOf(header)
    if (known !== -1) {
      latest = known
      return decisions[known]
    }
    const decision = decide(header)
    newest = latest = (newest + 1) % REMEMBERED
    headers[newest] = header
    decisions[newest] = decision
    return decision
  }
}

module.exports = { createGate, ensureBody, giveUp, isFinished, FINISHED, EMPTY, MISMATCH }
