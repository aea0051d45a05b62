'use strict'

// Reads and checks the options of all parsers, once, when a middleware is made.
// Inherited properties count; primitives and null mean all defaults.

const DEFAULT_LIMIT = 102400 // bytes: 100 KiB
const DEFAULT_DRAIN_LIMIT = 64 * 1024 * 1024 // bytes
const OBSERVERS = ['budget', 'timeout', 'minRate']

/** Names of the options of all parsers, as apps share one object of options among them. */
const NAMES = new Set([
  'allowPrototypes', 'budget', 'buffered', 'charset', 'charsetSentinel', 'codingLists', 'cooperative', 'defaultCharset',
  'depth', 'drainLimit', 'empty', 'extended', 'fields', 'files', 'inflate', 'interpretNumericEntities', 'limit', 'minRate', 'onConstructorPoisoning',
  'onProtoPoisoning', 'parameterLimit', 'parse', 'parts', 'qs', 'rawBody', 'reviver', 'schema', 'store', 'strict', 'timeout', 'type', 'verify'
])

/**
 * @param {object} [options]
 * @param {string} [defaultType] media type to parse if `type` is not given
 * @param {number} [defaultLimit] bytes
 * @returns {{ buffered: boolean, codingLists: boolean, drainLimit: number, given: unknown, inflate: boolean, limit: number | Function, observe: Function | null, rawBody: unknown, schema: unknown, type: unknown, verify: Function | undefined }}
 * @throws {TypeError} naming the option that is wrong
 */
function readCommon (options, defaultType, defaultLimit = DEFAULT_LIMIT) {
  refuseRequest(options)
  if (Object.keys(options ?? {}).some((name) => !NAMES.has(name))) require('../extras/warnings').warnOfNames(options, NAMES)
  const limit = readLimit(options?.limit, defaultLimit)
  const verify = options?.verify || undefined
  if (verify !== undefined && typeof verify !== 'function') throw new TypeError('option verify must be function')
  const inflate = options?.inflate !== false
  const codingLists = readSwitch(options, 'codingLists')
  if (codingLists && !inflate) throw new TypeError('option codingLists cannot be combined with inflate: false')
  return {
    buffered: readSwitch(options, 'buffered'),
    codingLists,
    drainLimit: readSize('drainLimit', options?.drainLimit, DEFAULT_DRAIN_LIMIT),
    given: options, // to show those of one parser
    inflate,
    limit,
    observe: OBSERVERS.some((name) => isGiven(options, name)) ? require('../extras/observers')(options) : null,
    rawBody: options?.rawBody ?? false,
    schema: options?.schema ?? undefined,
    type: options?.type || defaultType,
    verify
  }
}

/** `app.use(bodyParser.json)` would leave every request without an answer. */
function refuseRequest (options) {
  if (typeof options?.pipe === 'function' && options.headers !== undefined) {
    throw new TypeError('options cannot be a request: the parser must be made first, as in app.use(bodyParser.json())')
  }
}

const readLimit = (limit, fallback) => typeof limit === 'function' ? limit : readBytes('limit', limit, fallback)

/** Bytes, from a number or from a string such as `'1.5mb'`. */
function readBytes (name, value, fallback) {
  if (value === undefined || value === null) return fallback
  const count = typeof value === 'string' ? parseBytes(name, value) : value
  if (typeof count !== 'number' || Number.isNaN(count)) throw new TypeError(`option ${name} "${show(value)}" is invalid`)
  return count
}

/** Bytes, for options that body-parser does not have: a size below 0 makes no sense. */
function readSize (name, value, fallback) {
  const count = readBytes(name, value, fallback)
  if (count < 0) throw new TypeError(`option ${name} "${show(value)}" is invalid`)
  return count
}

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
  if (count !== null && !SIZE.test(text)) require('../extras/warnings').warnOfSize(name, text, count)
  return count
}

/** Options that body-parser does not have are read strictly. */
function readSwitch (options, name, fallback = false) {
  const value = options?.[name] ?? fallback
  if (typeof value !== 'boolean') throw new TypeError(`option ${name} must be true or false`)
  return value
}

function readFunction (options, name) {
  const value = options?.[name] ?? undefined
  if (value !== undefined && typeof value !== 'function') throw new TypeError(`option ${name} must be a function`)
  return value
}

const isGiven = (options, name) => (options?.[name] ?? undefined) !== undefined

/** Levels of nesting, for the parsers of JSON. */
function readLevels (name, value) {
  const levels = value ?? Infinity
  if (levels !== Infinity && !(Number.isInteger(levels) && levels >= 0)) throw new TypeError(`option ${name} must be zero, a positive integer or Infinity`)
  return levels
}

/** Refuses options that another one makes meaningless. */
function assertExclusive (options, name, others) {
  const other = others.find((other) => isGiven(options, other))
  if (other !== undefined) throw new TypeError(`option ${other} cannot be combined with ${name}`)
}

/** The charset of a body that names none; for JSON and text. */
function readDefaultCharset (options) {
  const charset = options?.defaultCharset || 'utf-8'
  if (typeof charset !== 'string') throw new TypeError('option defaultCharset must be a string')
  return charset
}

module.exports = { assertExclusive, isGiven, readBytes, readCommon, readDefaultCharset, readFunction, readLevels, readSize, readSwitch }
