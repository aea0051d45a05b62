'use strict'

// Options are checked and read here, once, when a middleware is made.

const DEFAULT_LIMIT = 102400 // bytes: 100 KiB
const DEFAULT_DRAIN_LIMIT = 64 * 1024 * 1024 // bytes

/**
 * The settings that every parser has. Inherited properties count; primitives
 * and null are all defaults.
 *
 * @param {object} [options]
 * @param {string} defaultType media type to parse when `type` is not given
 * @returns {{ buffered: boolean, codingLists: boolean, drainLimit: number, inflate: boolean, limit: number, rawBody: boolean, type: unknown, verify: Function | undefined }}
 * @throws {TypeError} naming the option that is wrong
 */
function readCommon (options, defaultType) {
  refuseRequest(options)
  const limit = readBytes('limit', options?.limit, DEFAULT_LIMIT)
  const verify = options?.verify || undefined
  if (verify !== undefined && typeof verify !== 'function') {
    throw new TypeError('option verify must be function')
  }
  const inflate = options?.inflate !== false
  const codingLists = readSwitch(options, 'codingLists')
  if (codingLists && !inflate) throw new TypeError('option codingLists cannot be beside inflate: false')
  return {
    buffered: readSwitch(options, 'buffered'),
    codingLists,
    drainLimit: readBytes('drainLimit', options?.drainLimit, DEFAULT_DRAIN_LIMIT),
    inflate,
    limit,
    rawBody: readSwitch(options, 'rawBody'),
    type: options?.type || defaultType,
    verify
  }
}

/** For `app.use(bodyParser.json)`, which would leave every request without an answer. */
function refuseRequest (options) {
  if (typeof options?.pipe === 'function' && options.headers !== undefined) {
    throw new TypeError('options cannot be a request: the parser must be made first, as in app.use(bodyParser.json())')
  }
}

/** Bytes, from a number or from a string such as `'1.5mb'`. */
function readBytes (name, value, fallback) {
  if (value === undefined || value === null) return fallback
  const count = typeof value === 'string' ? parseBytes(name, value) : value
  if (typeof count !== 'number' || Number.isNaN(count)) {
    throw new TypeError(`option ${name} "${show(value)}" is invalid`)
  }
  return count
}

/** Some objects have no way to a string. */
function show (value) {
  try {
    return String(value)
  } catch {
    return typeof value
  }
}

const SIZE = /^[-+]?(\d+ *(b|bytes?)?|\d+(\.\d+)? *[kmgtp]b)$/i

/**
 * Like body-parser, takes the number for bytes if it does not know the unit;
 * but says so, as `'10m'` is 10 bytes.
 */
function parseBytes (name, text) {
  const count = require('bytes').parse(text)
  if (count !== null && !SIZE.test(text)) {
    process.emitWarning(`option ${name} "${text}" is read as ${count} bytes: its unit should be b, kb, mb, gb, tb or pb`, {
      code: 'FAST_BODY_PARSER_SIZE'
    })
  }
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

const POISONING_ACTIONS = ['error', 'remove', 'ignore']

function readPoisoning (options, name) {
  const value = options?.[name] ?? 'ignore'
  if (!POISONING_ACTIONS.includes(value)) {
    throw new TypeError(`option ${name} must be one of 'error', 'remove' and 'ignore'`)
  }
  return value
}

/** Refuses options that another one makes meaningless. */
function refuseBeside (options, name, others) {
  const other = others.find((other) => (options[other] ?? undefined) !== undefined)
  if (other !== undefined) throw new TypeError(`option ${other} cannot be beside ${name}`)
}

/** Deepest nesting of JSON. */
function readJsonDepth (options) {
  const value = options?.depth ?? Infinity
  if (typeof value !== 'number' || !(value >= 0)) {
    throw new TypeError('option depth must be a zero or a positive number')
  }
  return value
}

const DEFAULT_SLICE = 0.25 // ms
const DEFAULT_THRESHOLD = 262144 // bytes: 256 KiB
const COOPERATIVE_KINDS = 'option cooperative must be true, false, or an object of slice and threshold'

/** How long to work in one turn of the event loop, in ms. */
function readSlice (name, value) {
  const slice = value ?? DEFAULT_SLICE
  if (typeof slice !== 'number' || !(slice > 0)) throw new TypeError(`option ${name} must be a positive number of milliseconds`)
  return slice
}

/**
 * @returns {{ slice: number, threshold: number } | null} ms and bytes; null if
 *   it is off
 */
function readCooperative (options) {
  const value = options?.cooperative ?? false
  if (value === false) return null
  if (value !== true && (typeof value !== 'object' || Array.isArray(value))) throw new TypeError(COOPERATIVE_KINDS)
  const { slice, threshold, ...others } = value === true ? {} : value
  if (Object.keys(others).length > 0) throw new TypeError(COOPERATIVE_KINDS)
  return {
    slice: readSlice('cooperative.slice', slice),
    threshold: readBytes('cooperative.threshold', threshold, DEFAULT_THRESHOLD)
  }
}

/** The charset of a body that names none; for JSON and text. */
function readDefaultCharset (options) {
  const charset = options?.defaultCharset || 'utf-8'
  if (typeof charset !== 'string') {
    throw new TypeError('option defaultCharset must be a string')
  }
  return charset
}

/** The charset of a form that names none. */
function readFormCharset (options) {
  const charset = options?.defaultCharset || 'utf-8'
  if (charset !== 'utf-8' && charset !== 'iso-8859-1') {
    throw new TypeError('option defaultCharset must be either utf-8 or iso-8859-1')
  }
  return charset
}

/** Most parameters in a form; finite values are truncated to 32 bits. */
function readParameterLimit (options) {
  const value = options?.parameterLimit
  if (value === undefined) return 1000
  const number = toNumber(value)
  if (Number.isNaN(number) || number < 1) {
    throw new TypeError('option parameterLimit must be a positive number')
  }
  return number === Infinity ? Infinity : number | 0
}

/** Deepest nesting of an extended form. */
function readDepth (options) {
  const value = options?.depth
  if (value === undefined) return 32
  const number = toNumber(value)
  if (Number.isNaN(number) || number < 0) {
    throw new TypeError('option depth must be a zero or a positive number')
  }
  if (value === false) return 0
  return typeof value === 'number' ? value : 5 // what qs makes of other types
}

/** NaN, not an exception, for what has no number. */
function toNumber (value) {
  return typeof value === 'bigint' || typeof value === 'symbol' ? NaN : Number(value)
}

module.exports = {
  readCommon,
  readCooperative,
  readDefaultCharset,
  readDepth,
  readFormCharset,
  readFunction,
  readJsonDepth,
  readParameterLimit,
  readPoisoning,
  readSlice,
  readSwitch,
  refuseBeside
}
