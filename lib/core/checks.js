'use strict'

// Checks of single values. `boolean`, `milliseconds` and the like, and what
// `size`, `count`, `oneOf`, `kind` and `required` return, are functions of a value and its
// option's name (`readBytes` and `readSize` take the name first), which return the
// value in effect or throw a TypeError that names the option and what it takes.
// For undefined and null, options that body-parser does not have take their default.

/** Bytes, as body-parser reads them: from a number, or from a string such as `'1.5mb'`. */
function readBytes (name, value, fallback, least = -Infinity) {
  if (!hasValue(value)) return fallback
  const count = typeof value === 'string' ? parseBytes(name, value) : value
  if (typeof count === 'number' && count >= least) return count
  throw new TypeError(`option ${name} "${show(value)}" is invalid`)
}

/** Bytes, for options that body-parser does not have: a size below 0 makes no sense. */
const readSize = (name, value, fallback) => readBytes(name, value, fallback, 0)

/** Some objects cannot be converted to a string. */
function show (value) {
  try {
    return String(value)
  } catch {
    return typeof value
  }
}

const SIZE = /^[-+]?(\d+ *(b|bytes?)?|\d+(\.\d+)? *[kmgtp]b)$/i

/** Like body-parser, reads a number with an unknown unit as bytes; but warns, as `'10m'` is 10 bytes. */
function parseBytes (name, text) {
  const count = require('bytes').parse(text)
  if (count !== null && !SIZE.test(text)) require('./warnings').warnOfSize(name, text, count)
  return count
}

/**
 * Loads the warnings only if there is a name that nothing knows.
 *
 * @param {Set<string>} known
 * @param {Iterable<string>} [own] those of them that may be meant
 * @param {(name: string) => string | undefined} [synonymOf] what an option of another package is called here
 */
function warnOfUnknown (options, known, own = known, synonymOf = () => undefined) {
  const names = Object.keys(options ?? {}).filter((name) => !known.has(name))
  if (names.length > 0) require('./warnings').warnOfNames(names, [...own], synonymOf)
}

/**
 * Option `limit` as a function of the request.
 *
 * @param {(request: object) => number | string} limitOf
 * @returns {(request: object) => number} the limit in bytes; throws what
 *   `limitOf` throws, and a TypeError if it does not return a size
 */
function createLimitOf (limitOf) {
  require('bytes') // now: a request must not need a file (no descriptor may be left)
  require('./warnings')
  return (request) => {
    const limit = limitOf(request)
    limit?.then?.(undefined, () => {}) // the TypeError is enough; a promise's own error would crash the process
    return readBytes('limit', limit ?? String(limit))
  }
}

/**
 * Options `type` and `rawBody`, if they are functions: what they return counts
 * by its truthiness, as that of `type` does in body-parser.
 *
 * @param {(request: object) => unknown} ask
 * @returns {(request: object) => unknown}
 */
function createPredicate (name, ask) {
  const { warn } = require('./warnings') // now: a request must not need a file
  return (request) => {
    const answer = ask(request)
    if (isPromise(answer)) {
      answer.then(undefined, () => {}) // nothing awaits it, so a rejection would end the process
      warn(`option ${name} returned a promise, which counts as true: ` +
        'the function must not be asynchronous', 'FAST_BODY_PARSER_ASYNC')
    }
    return answer
  }
}

/** Also of another realm. Not what merely has a `then`, which may begin work when that is called. */
const isPromise = (value) => typeof value === 'object' && tagOf(value) === '[object Promise]'

const tagOf = (value) => Object.prototype.toString.call(value)

const size = (fallback) => (value, name) => readSize(name, value, fallback)

/** A value that `accepts` takes, which is what `kinds` says. */
const required = (accepts, kinds) => (value, name) => {
  if (accepts(value)) return value
  throw new TypeError(`option ${name} must be ${kinds}`)
}

/** The same, or the fallback for undefined and null. */
function kind (accepts, kinds, fallback) {
  const read = required(accepts, kinds)
  return (value, name) => hasValue(value) ? read(value, name) : fallback
}

/** For options of body-parser's, of which every falsy value is the default. */
const unlessFalsy = (read) => (value, name) => read(value || null, name)

// The grammar of media types in lower case (RFC 6838, section 4.2).
const TYPE = '[a-z0-9][a-z0-9!#$&^_-]{0,126}'
const SUBTYPE = '[a-z0-9][a-z0-9!#$&^_.+-]{0,126}'

const matches = (pattern) => {
  const whole = new RegExp(`^(?:${pattern})$`)
  return (value) => typeof value === 'string' && whole.test(value)
}

const isMediaType = matches(`${TYPE}/${SUBTYPE}`)
/** RFC 9110, section 12.5.1. */
const isMediaRange = matches(`\\*/\\*|${TYPE}/(?:\\*|${SUBTYPE})`)
/** Of type-is: an asterisk replaces a whole part, or what precedes the suffix. */
const isTypePattern = matches(`(?:\\*|${TYPE})/(?:\\*|(?:\\*\\+)?${SUBTYPE})`)

const hasValue = (value) => value !== undefined && value !== null
const isFunction = (value) => typeof value === 'function'
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value) => value === Infinity || (Number.isInteger(value) && value >= 0)

const optionalFunction = kind(isFunction, 'a function')
const readObject = required(isObject, 'an object')
const count = (fallback) => kind(isCount, 'zero, a positive integer or Infinity', fallback)
const levels = count(Infinity)
const isPositive = (value) => typeof value === 'number' && value > 0
const milliseconds = kind(isPositive, 'a positive number of milliseconds', Infinity)
const oneOf = (values, kinds) => kind((value) => values.includes(value), kinds, values[0])
const boolean = oneOf([false, true], 'true or false')
const poisoningAction = oneOf(['ignore', 'error', 'remove'], "one of 'error', 'remove' and 'ignore'")

module.exports = {
  boolean,
  count,
  createLimitOf,
  createPredicate,
  hasValue,
  isFunction,
  isMediaRange,
  isMediaType,
  isTypePattern,
  kind,
  levels,
  milliseconds,
  oneOf,
  optionalFunction,
  poisoningAction,
  readBytes,
  readObject,
  readSize,
  required,
  size,
  unlessFalsy,
  warnOfUnknown
}
