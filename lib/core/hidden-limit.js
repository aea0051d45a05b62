'use strict'

// Warns where the first of two parsers of one media type has refused a body
// that the second one has room for: an app that raises the limit for a route
// often has a parser with the default before it.

const { isTooLarge } = require('./errors')
const sharedTables = require('./shared-tables')

const MOST = 100 // parsers that are remembered: an app may make one for each request

/**
 * Remembers the limit of a parser that is made.
 *
 * @param {string} name of its factory
 * @param {{ limit: number | Function, type: unknown, multer?: object }} settings in effect; functions depend on the
 *   request, and of the drop-in for multer `limits.total` counts instead
 * @returns {object | null} what `warnOfHiddenLimit` takes; null if nothing can be said of the parser
 */
function registerLimit (name, { limit, type, multer }) {
  if (typeof limit === 'function' || typeof type === 'function' || multer !== undefined) return null
  sharedTables.limits ??= { parsers: [], warn: null }
  const { parsers } = sharedTables.limits
  if (parsers.length >= MOST) return null
  const entry = { name, types: [type].flat(), limit }
  parsers.push(entry)
  const mayHide = parsers.some((other) => sharesType(entry, other) && other.limit !== limit)
  if (mayHide) sharedTables.limits.warn ??= createWarning() // now: a request must not need a file
  return entry
}

/** Warns if another parser has room for what a reader has refused. Called before `next`. */
function warnOfHiddenLimit ({ limit, parser: { limitEntry: entry } }, error) {
  if (!isTooLarge(error) || !entry || limit !== entry.limit) return
  const { parsers, warn } = sharedTables.limits
  const needed = error.length ?? error.received // bytes of the body, or as many as have come
  const other = parsers.find((other) => sharesType(entry, other) && other.limit > limit && other.limit >= needed)
  if (other !== undefined) warn(entry, other, parsers.indexOf(other) > parsers.indexOf(entry) ? 'after' : 'before')
}

function createWarning () {
  const { formatSize } = require('./wording')
  const { warn } = require('./warnings')
  return (entry, other, order) => {
    const [one, another] = [entry, other].map(({ limit, name }) => `${name}() with limit ${formatSize(limit)}`)
    warn(`${one} has refused a body that ${another}, made ${order} it, has room for: ` +
      'the first parser that takes a request decides. ' +
      'If the other one was meant, put its route before this parser', 'FAST_BODY_PARSER_LIMIT')
  }
}

/** Whether one may be meant where the other one reads. A jsonArray(), which is for imports, is not meant by json(). */
function sharesType (entry, other) {
  const isSameKind = (entry.name === 'jsonArray') === (other.name === 'jsonArray')
  return other !== entry && isSameKind && other.types.some((type) => entry.types.includes(type))
}

module.exports = { registerLimit, warnOfHiddenLimit }
