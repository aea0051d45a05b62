'use strict'

// The options of all parsers, each in one row: what it takes, what it excludes,
// and the file that implements it, if it changes how a body is parsed. They are
// read in this order, which is body-parser's as far as it has them, and change
// the parser in this order.

const {
  boolean, count, isFunction, levels, milliseconds, oneOf, optionalFunction, poisoningAction, readBytes, readSize, size
} = require('../checks')

const TYPES = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json-seq']
}
const WHOLE = ['json', 'raw', 'text', 'urlencoded', 'custom'] // the parsers that have the whole body
const JSON_PARSERS = ['json', 'ndjson']
const STREAMS = ['multipart', 'ndjson']
const ALL = [...WHOLE, ...STREAMS]

// The checks of one parser are loaded with its first option.
const ofMultipart = (name) => ({
  name,
  parsers: ['multipart'],
  isShown: true,
  read: (...args) => require('./multipart')[name](...args)
})
const ofUrlencoded = (name) => (...args) => require('./urlencoded')[name](...args)
const ofNode = (name) => (...args) => require('./node-only')[name](...args)

const copyOf = (value) => Array.isArray(value) ? [...value] : value

const MEBIBYTE = 1024 * 1024 // bytes

const isNotFalse = (value) => value !== false
const isTrue = (value) => value === true
const readKept = oneOf([false, true, 'coded'], "true, false, 'coded' or a function")
const readLimit = (fallback) => (value, name) => isFunction(value) ? value : readBytes(name, value, fallback)
const readOptional = (value) => value ?? null

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string[]} parsers that have the option
 * @property {(value: unknown, name: string, context: Context) => unknown} read
 *   returns the value in effect, or throws a TypeError
 * @property {(value: unknown, settings: object) => unknown} [check] the same for an option that is on, once
 *   all are read and none excludes another; gets what `read` has returned
 * @property {unknown} [off] the value that changes nothing, besides undefined and null
 * @property {string[]} [excludes] options that it cannot be combined with
 * @property {true} [isRefused] its parsers take no value of it
 * @property {false} [web] fast-body-parser/web does not have it
 * @property {boolean} [isShown] console.log shows it in any case, as it is in effect; others as they were given
 * @property {() => (parser: object, settings: object) => object} [load] loads what
 *   changes how the parser parses; ../compose.js has what changes anything else
 *
 * @typedef {object} Context
 * @property {object} settings those of the rows above
 * @property {string} parser its name
 * @property {boolean} isThere whether the options have a property of that name, which may be undefined
 */

/** @type {Partial<Row>} */
const POISONING = {
  parsers: JSON_PARSERS,
  off: 'ignore',
  excludes: ['reviver'], // what it makes, such as a cycle, cannot be searched
  read: poisoningAction,
  load: () => require('../json/poisoning')
}

/** @type {Row[]} */
const rows = [
  // Those of body-parser.
  { name: 'limit', parsers: WHOLE, isShown: true, read: readLimit(102400) },
  { name: 'limit', parsers: ['ndjson'], isShown: true, read: readLimit(100 * MEBIBYTE) },
  { name: 'type', parsers: Object.keys(TYPES), isShown: true, read: readType },
  { name: 'type', parsers: ['custom'], isShown: true, read: (value) => copyOf(ofNode('readType')(value)) },
  { name: 'verify', parsers: WHOLE, read: readVerify },
  { name: 'inflate', parsers: ALL, isShown: true, read: isNotFalse },
  { name: 'defaultCharset', parsers: ['json', 'text'], isShown: true, read: readCharset },
  { name: 'defaultCharset', parsers: ['urlencoded'], isShown: true, read: ofUrlencoded('readCharset') },
  { name: 'extended', parsers: ['urlencoded', 'multipart'], isShown: true, read: Boolean },
  { name: 'parameterLimit', parsers: ['urlencoded'], isShown: true, read: ofUrlencoded('readParameterLimit') },
  { name: 'depth', parsers: ['urlencoded', 'multipart'], isShown: true, read: ofUrlencoded('readDepth') },
  { name: 'charsetSentinel', parsers: ['urlencoded'], isShown: true, read: isTrue },
  { name: 'interpretNumericEntities', parsers: ['urlencoded'], isShown: true, read: isTrue },
  { name: 'reviver', parsers: JSON_PARSERS, read: readReviver },

  // Those of all parsers that are ours.
  { name: 'charset', parsers: ['custom'], isShown: true, read: ofNode('readCharset') },
  { name: 'drainLimit', parsers: ALL, isShown: true, read: size(64 * MEBIBYTE) },
  { name: 'buffered', parsers: ALL, web: false, off: false, read: boolean },
  { name: 'rawBody', parsers: WHOLE, web: false, off: false, read: readRawBody },
  { name: 'budget', parsers: ALL, web: false, read: readOptional, check: ofNode('checkBudget') },
  { name: 'timeout', parsers: ALL, off: Infinity, read: milliseconds },
  { name: 'minRate', parsers: ALL, web: false, off: 0, read: readMinRate },

  // Those of one parser that are ours.
  { name: 'onProtoPoisoning', ...POISONING },
  { name: 'onConstructorPoisoning', ...POISONING },
  {
    name: 'parse',
    parsers: ['json'],
    excludes: ['depth', 'onProtoPoisoning', 'onConstructorPoisoning'],
    read: optionalFunction,
    load: () => require('../json/own-parse')
  },
  {
    name: 'depth',
    parsers: JSON_PARSERS,
    off: Infinity,
    read: levels,
    load: () => require('../json/depth')
  },
  {
    name: 'strict',
    parsers: JSON_PARSERS,
    isShown: true,
    off: false,
    read: isNotFalse,
    load: () => require('../json/parse').requireContainer
  },
  {
    name: 'empty',
    parsers: ['json'],
    read: (value, name, { isThere }) => isThere ? { value } : null, // undefined is a value
    check: checkEmpty,
    load: () => require('../json/empty')
  },
  {
    name: 'cooperative',
    parsers: ['json'],
    web: false,
    off: false,
    excludes: ['parse', 'reviver'],
    read: readOptional,
    check: checkCooperative
  },
  {
    name: 'parse',
    parsers: ['urlencoded'],
    excludes: ['charsetSentinel', 'depth', 'interpretNumericEntities', 'qs'],
    read: optionalFunction,
    load: () => require('../urlencoded/own-parse')
  },
  {
    name: 'qs',
    parsers: ['urlencoded'],
    read: readOptional,
    check: ofUrlencoded('checkQs'),
    load: () => require('../urlencoded/qs-options')
  },
  { name: 'parse', parsers: ['custom'], read: ofNode('readParse') },
  ...['fields', 'files', 'total', 'limit', 'parts', 'store'].map(ofMultipart),
  { name: 'record', parsers: ['ndjson'], isShown: true, read: size(MEBIBYTE) },
  { name: 'max', parsers: ['ndjson'], isShown: true, read: count(1e6) },
  { name: 'onError', parsers: ['ndjson'], isShown: true, read: oneOf(['stop', 'collect'], "'stop' or 'collect'") },
  ...['verify', 'rawBody', 'parse'].map((name) => ({ name, parsers: STREAMS, isRefused: true, read: refuse })),

  // Checks what all others have made of the body.
  { name: 'schema', parsers: [...WHOLE, 'multipart'], read: readOptional, check: checkSchema },
  {
    name: 'schema',
    parsers: ['ndjson'],
    read: readOptional,
    check: checkSchema,
    load: () => require('../ndjson/schema') // for each record
  }
]

/** The app may change its list later. */
function readType (value, name, { parser }) {
  return copyOf(value || TYPES[parser])
}

/** JSON.parse ignores other values as well. */
function readReviver (value) {
  return isFunction(value) ? value : undefined
}

function readVerify (value) {
  if (value && !isFunction(value)) throw new TypeError('option verify must be function')
  return value || undefined
}

/** The charset of a body that names none. */
function readCharset (value, name) {
  const charset = value || 'utf-8'
  if (typeof charset !== 'string') throw new TypeError(`option ${name} must be a string`)
  return charset
}

/** For options that need the whole body, which some parsers never have. */
function refuse (value, name, { parser }) {
  if (value) throw new TypeError(`option ${name} cannot be combined with ${parser}, which never has the whole body`)
}

function readRawBody (value, name) {
  return isFunction(value) ? value : readKept(value, name)
}

function readMinRate (value, name) {
  const minRate = readBytes(name, value, 0)
  if (minRate < 0 || minRate === Infinity) throw new TypeError(`option ${name} must be a number of bytes per second`)
  return minRate
}

function checkEmpty (empty) {
  const { value } = empty
  const isObject = Object.prototype.toString.call(value) === '[object Object]' && Object.keys(value).length === 0
  if (isObject || value === undefined || value === 'error') return empty
  throw new TypeError("option empty must be undefined, {} or 'error'")
}

const COOPERATIVE = 'option cooperative must be true, false, or an object of slice and threshold'

/** @returns {{ slice: number, threshold: number }} ms and bytes */
function checkCooperative (value) {
  if (value !== true && (typeof value !== 'object' || Array.isArray(value))) throw new TypeError(COOPERATIVE)
  const { slice, threshold, ...others } = value // `true` has neither
  if (Object.keys(others).length > 0) throw new TypeError(COOPERATIVE)
  return {
    slice: milliseconds(slice ?? 0.25, 'cooperative.slice'),
    threshold: readSize('cooperative.threshold', threshold, MEBIBYTE / 4)
  }
}

function checkSchema (schema) {
  if (typeof schema['~standard']?.validate === 'function') return schema
  throw new TypeError('option schema must be a Standard Schema, as zod, valibot and arktype make them')
}

/** Without a prototype: rows lack fields, which somebody may have set on `Object.prototype`. */
module.exports = rows.map((row) => ({ __proto__: null, ...row }))
module.exports.STREAMS = STREAMS
