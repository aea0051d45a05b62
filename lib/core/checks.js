'use strict'

// Checks of single values. All of them, and what `oneOf`, `optional`, `required` and
// `unlessFalsy` return, take the value, the name of its option, and a fallback for
// undefined and null. They return the value in effect, or throw a TypeError that
// names the option and what it takes.

/** Bytes, as body-parser reads them: from a number, or from a string such as `'1.5mb'`. */
const readBytes = (value, name, fallback) => readNumber(value, name, fallback, -Infinity)

/** Bytes, for options that body-parser does not have: a size below 0 makes no sense. */
const readSize = (value, name, fallback) => readNumber(value, name, fallback, 0)

function readNumber (value, name, fallback, least) {
  if (!hasValue(value)) return fallback
  const count = typeof value === 'string' ? parseBytes(value, name) : value
  if (typeof count === 'number' && count >= least) return count
  throw new TypeError(`option ${name} "${printable(value)}" is invalid`)
}

/** The value in a message, or its type: some objects cannot be converted to a string. */
function printable (value) {
  try {
    return String(value)
  } catch {
    return typeof value
  }
}

const SIZE = /^[-+]?(\d+ *(b|bytes?)?|\d+(\.\d+)? *[kmgtp]b)$/i

/** Like body-parser, reads a number with an unknown unit as bytes; but warns, as `'10m'` is 10 bytes. */
function parseBytes (text, name) {
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
    return readBytes(limit ?? String(limit), 'limit')
  }
}

/**
 * Options `type` and `rawBody`, if they are functions: what they return counts
 * by its truthiness, as that of `type` does in body-parser.
 *
 * @param {(request: object) => unknown} ask
 * @returns {(request: object) => unknown}
 */
function createPredicate (ask, name) {
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

/** Also one of another realm; but nothing else that has a `then`, which may begin work when it is called. */
const isPromise = (value) => typeof value === 'object' && tagOf(value) === '[object Promise]'

/** Of any realm. */
const tagOf = (value) => Object.prototype.toString.call(value)

/** Whether it is awaited. Somebody may have set `Object.prototype.then`, which makes no object a promise. */
const isThenable = (value) => typeof value?.then === 'function' && value.then !== Object.prototype.then

/** A value that `accepts` takes, which is what `kinds` says. Has no fallback. */
const required = (accepts, kinds) => (value, name) => {
  if (accepts(value)) return value
  throw new TypeError(`option ${name} must be ${kinds}`)
}

/** The same, or the fallback. */
function optional (accepts, kinds) {
  const read = required(accepts, kinds)
  return (value, name, fallback) => hasValue(value) ? read(value, name) : fallback
}

/** Any value, or the fallback: for what is checked once all options are read. */
const anyValue = (value, name, fallback) => value ?? fallback

/** For options of body-parser's, of which every falsy value is the default. */
const unlessFalsy = (read) => (value, name, fallback) => read(value || null, name, fallback)

/** NaN, not an exception, for what cannot be converted. */
const toNumber = (value) => typeof value === 'bigint' || typeof value === 'symbol' ? NaN : Number(value)

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

const optionalFunction = optional(isFunction, 'a function')
const readObject = required(isObject, 'an object')
const count = optional(isCount, 'zero, a positive integer or Infinity')
const isPositive = (value) => typeof value === 'number' && value > 0
const milliseconds = optional(isPositive, 'a positive number of milliseconds')
const oneOf = (values, kinds) => optional((value) => values.includes(value), kinds)
const boolean = oneOf([false, true], 'true or false')
const poisoningAction = oneOf(['ignore', 'error', 'remove'], "one of 'error', 'remove' and 'ignore'")

module.exports = {
  anyValue,
  boolean,
  count,
  createLimitOf,
  createPredicate,
  hasValue,
  isFunction,
  isMediaRange,
  isMediaType,
  isObject,
  isPromise,
  isThenable,
  isTypePattern,
  milliseconds,
  oneOf,
  optional,
  optionalFunction,
  poisoningAction,
  readBytes,
  readObject,
  readSize,
  required,
  tagOf,
  toNumber,
  unlessFalsy,
  warnOfUnknown
}
