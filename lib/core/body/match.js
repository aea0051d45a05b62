'use strict'

// Decides whether a request has a body, whether it is for this parser, and whether it can be read. For most requests,
// as they have none, nothing else of the parser runs. ../../web uses `createHeaderMatch` and `precheck`.

const contentType = require('content-type')
const { createPredicate } = require('../checks')
const errors = require('../errors')
const sharedTables = require('../shared-tables')
const { declaresBody, declaresContent, isFinished, isOver, isStream } = require('../request/facts')

const MAX_REMEMBERED = 64 // characters of a field value; one with a boundary differs in each request

/** What the header of a request means to one parser. */
class Match {
  skip = false // nothing to parse: `next()`
  charset = null // in lower case; null for parsers of bytes
  decode = null // bytes -> text; null if the charset is unknown
  refusal = null // why it is refused unread: its charset is 'not allowed' or 'unknown' (415), its Content-Type
  // 'malformed', or other code has 'read' the body

  constructor (fields) {
    Object.assign(this, fields) // own fields alone: somebody may have set `Object.prototype.skip`
  }
}

// Three objects, as others ask which one they got.
const FINISHED = new Match({ skip: true })
const EMPTY = new Match({ skip: true })
const MISMATCH = new Match({ skip: true })
const BYTES = new Match({ decode: (bytes) => bytes })
const MALFORMED = new Match({ refusal: 'malformed' }) // the field of an adapter is not a string
const READ_BEFORE = new Match({ refusal: 'read' })

/**
 * @param {object} settings
 * @param {string | string[] | ((req: object) => boolean)} settings.type
 * @param {import('../../compose').Draft['charsets']} settings.charsets
 * @param {boolean} settings.refusesUnknown whether an unknown charset is refused before the checks of the reader, as
 *   body-parser does with `verify`
 * @param {(type: string | string[]) => (value: string, type: string) => boolean} createTypeTest creates a
 *   test of a field's value and the media type in it
 * @param {(charset: string) => ((bytes: Uint8Array) => string) | null} decoderOf
 * @returns {(req: object, headers: object) => Match} for a request with a body
 */
function createHeaderMatch ({ type, charsets, refusesUnknown }, createTypeTest, decoderOf) {
  const matchCharset = charsets === null ? () => BYTES : charsetMatcher(charsets, refusesUnknown, decoderOf)
  const typeIsFunction = typeof type === 'function'
  const isOurs = typeIsFunction ? createPredicate(type, 'type') : null
  // A function may take a request whose field is not a string. A parser of bytes needs nothing of that field.
  if (typeIsFunction && charsets === null) return (req) => isOurs(req) ? BYTES : MISMATCH
  const matchesType = typeIsFunction ? () => true : createTypeTest(type)
  let latest = null // the field value of the last request: most clients of a parser send the same
  let result = null

  function matchValue (value) {
    if (typeof value !== 'string') return MALFORMED
    const parsed = contentType.parse(value)
    const match = matchesType(value, parsed.type) ? matchCharset(parsed) : MISMATCH
    if (value.length > MAX_REMEMBERED) return match
    latest = value
    result = match
    return match
  }

  return function matchHeader (req, headers) {
    if (typeIsFunction && !isOurs(req)) return MISMATCH
    const value = headers['content-type'] || ''
    if (value === latest) return result
    return value === '' && !typeIsFunction ? MISMATCH : matchValue(value)
  }
}

/**
 * The match of any request. Creates `req.body` unless the request is finished, or claimed.
 *
 * @param {(req: object, headers: object) => Match} matchHeader for a request with a body
 * @param {import('../../compose').Draft} parser
 * @returns {(req: object, headers: object) => Match}
 */
const createMatch = (matchHeader, { isOwn, isUnreadable, refusesRead }) => function match (req, headers) {
  const isEmpty = !declaresBody(headers, req)
  // The first parser of a stack creates `req.body`. A later one has nothing to do
  // without a body, and need not ask whether the request is finished.
  if (isEmpty && 'body' in req) return EMPTY
  if (sharedTables.claims?.has(req)) return FINISHED // `isClaimed` would be one more call for each request
  if (isFinished(req) && (isUnreadable === null || req.upgrade || isUnreadable(req))) {
    const isLost = refusesRead && isOwn !== null && declaresContent(headers, req) && !isOwn(req)
    return isLost && !matchHeader(req, headers).skip ? READ_BEFORE : FINISHED
  }
  if (!('body' in req)) req.body = undefined
  return isEmpty ? EMPTY : matchHeader(req, headers)
}

/** Remembers what a parser that skips a request would have taken, once `trackMismatches()` was called. */
function noteMismatch (req, type) {
  const { mismatches } = sharedTables
  if (mismatches !== null && isStream(req)) mismatches.set(req, [...mismatches.get(req) ?? [], type])
}

/**
 * @returns {(req: object) => unknown[]} what the parsers that skip a request from
 *   now on would have taken: their options `type`
 */
function trackMismatches () {
  sharedTables.mismatches ??= new WeakMap()
  return (req) => sharedTables.mismatches.get(req) ?? []
}

function charsetMatcher ({ allows, fallback }, refusesUnknown, decoderOf) {
  return ({ parameters }) => {
    const charset = parameters.charset?.toLowerCase() || fallback
    if (!allows(charset)) return new Match({ charset, refusal: 'not allowed' })
    const decode = decoderOf(charset)
    if (decode !== null) return new Match({ charset, decode })
    // In lower case: the fallback is as the app has written it.
    return new Match({ charset: charset.toLowerCase(), refusal: refusesUnknown ? 'unknown' : null })
  }
}

/** Why the request cannot be read at all, in body-parser's order; null if it can. */
function precheck ({ req, match, lane, length, limit, parser }) {
  if (length !== null && length > limit) return errors.declaredTooLarge(length, limit, parser.createTooLarge)
  if (req.readableEncoding && lane === 'identity') return errors.encodingSet() // a decoder fails by itself
  const { isUnreadable } = parser
  // body-parser asks `readable`: of the request, or, if the body is coded, of the decoder. So we read a coded body
  // of which this field alone tells that it is over.
  const isMarked = req.readable === false && (lane === 'identity' || isOver(req))
  if (isUnreadable === null ? isMarked : isUnreadable(req)) return errors.notReadable()
  if (match.decode === null) return errors.unsupportedCharset(match.charset, parser.truncateInput)
  return null
}

/** @throws {Error} why the request cannot be read: what `precheck` returns */
function checkReadable (exchange) {
  const obstacle = precheck(exchange)
  if (obstacle !== null) throw obstacle
}

module.exports = {
  checkReadable,
  createHeaderMatch,
  createMatch,
  Match,
  noteMismatch,
  precheck,
  trackMismatches,
  BYTES,
  EMPTY,
  FINISHED,
  MISMATCH
}
