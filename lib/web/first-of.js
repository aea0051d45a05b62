'use strict'

const errors = require('../core/errors')
const { isMediaRange } = require('../core/checks')
const { markHandled } = require('../core/handled-promise')
const { truncate } = require('../core/wording')
const { checkRequest } = require('./compose')
const { hasContent } = require('./content')
const { mediaTypeOf } = require('./header')
const Interruption = require('./interruption')
const { isUsed } = require('./whole')

/** Key in a reader: what it takes. One of another copy of this package has it as well. */
const TAKES = Symbol.for('fast-body-parser.takes')

/**
 * Makes a reader known to `firstOf`.
 *
 * @template {(request: Request) => unknown} Reader
 * @param {Reader} reader
 * @param {object} parser
 * @param {{ timeout: number, type: (request: Request, type: string) => boolean }} parser.settings
 * @param {string[]} parser.types media types and patterns; none for a function
 * @returns {Reader} the same
 */
function tellTypes (reader, { settings: { timeout, type: matches }, types }) {
  return Object.defineProperty(reader, TAKES, { __proto__: null, value: { matches, timeout, types } })
}

/**
 * The first reader whose `type` fits the request reads it; content that fits none
 * is a 415, whose `headers` have an `Accept`. Without content, the first one decides.
 *
 * @param {...((request: Request) => unknown)} readers of fast-body-parser/web
 * @returns {(request: Request) => Promise<unknown>}
 * @throws {TypeError} if there is none, or another function among them
 */
function firstOf (...readers) {
  const isWrong = readers.length === 0 || readers.some((reader) => reader?.[TAKES] === undefined)
  if (isWrong) throw new TypeError('firstOf takes readers of fast-body-parser/web, such as json()')
  const [first] = readers
  const types = [...new Set(readers.flatMap((reader) => reader[TAKES].types))]
  const timeout = Math.min(...readers.map((reader) => reader[TAKES].timeout))
  const read = async (request) => {
    checkRequest(request, 'firstOf')
    const type = mediaTypeOf(request)
    const reader = readers.find((reader) => reader[TAKES].matches(request, type))
    if (reader !== undefined) return reader(request)
    if (!await isUnread(request, timeout)) return first(request)
    throw unsupported(type, types)
  }
  const matches = (request, type) => readers.some((reader) => reader[TAKES].matches(request, type))
  return tellTypes((request) => markHandled(read(request)), { settings: { timeout, type: matches }, types })
}

/** Whether there is content, which nobody has read. */
async function isUnread (request, timeout) {
  if (isUsed(request)) return false
  const interruption = new Interruption(request, { timeout })
  try {
    return await hasContent(request, interruption)
  } finally {
    interruption.release()
  }
}

/** 415, with a header that names what is taken (RFC 9110, section 15.5.16). */
function unsupported (type, types) {
  const error = errors.unsupportedMediaType(truncate(type))
  const accept = types.filter(isMediaRange).join(', ')
  return accept === '' ? error : Object.assign(error, { headers: { Accept: accept } })
}

module.exports = { firstOf, tellTypes }
