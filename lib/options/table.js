'use strict'

// The options of all parsers, each in one row: what it takes, what it excludes,
// and the file that implements it, if it changes how a body is parsed. They are
// read in this order, which is body-parser's as far as it has them, and change
// the parser in this order.

const { boolean, count, isFunction, levels, milliseconds, oneOf, optionalFunction, readBytes, size } = require('../checks')
const custom = require('./custom')
const form = require('./form')

const TYPES = { json: 'application/json', raw: 'application/octet-stream', text: 'text/plain', urlencoded: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data', ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json-seq'] }
const WHOLE = ['json', 'raw', 'text', 'urlencoded', 'custom'] // the parsers that have the whole body
const JSON_PARSERS = ['json', 'ndjson']
const STREAMS = ['multipart', 'ndjson']
const ALL = [...WHOLE, ...STREAMS]

/** Loads nothing of multipart for other parsers. */
const ofMultipart = (check) => (...args) => require('./multipart')[check](...args)

/** The app may change its list later. */
const copyOf = (value) => Array.isArray(value) ? [...value] : value

const MEBIBYTE = 1024 * 1024 // bytes

const readKept = oneOf([false, true, 'coded'], "true, false, 'coded' or a function")
const readAction = oneOf(['ignore', 'error', 'remove'], "one of 'error', 'remove' and 'ignore'")

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string[]} parsers that have the option
 * @property {(value: unknown, name: string, context: { settings: object, parser: string, isThere: boolean }) => unknown} read
 *   returns the value in effect, or throws a TypeError; `settings`: those of the rows above
 * @property {unknown} [off] the value that changes nothing, besides undefined and null
 * @property {string[]} [excludes] options that it cannot be combined with
 * @property {true} [isRefused] its parsers take no value of it
 * @property {false} [web] fast-body-parser/web does not have it
 * @property {boolean} [isShown] console.log shows it in any case, as it is in effect; others as they were given
 * @property {() => (parser: object, settings: object) => object} [parse] loads what
 *   changes how the parser parses; ./exchange.js has what changes anything else
 */

/** @type {Row[]} */
const rows = [
  // Those of body-parser.
  { name: 'limit', parsers: WHOLE, isShown: true, read: (value, name) => isFunction(value) ? value : readBytes(name, value, 102400) },
  { name: 'limit', parsers: ['ndjson'], isShown: true, read: (value, name) => isFunction(value) ? value : readBytes(name, value, 100 * MEBIBYTE) },
  { name: 'type', parsers: Object.keys(TYPES), isShown: true, read: (value, name, { parser }) => copyOf(value || TYPES[parser]) },
  { name: 'type', parsers: ['custom'], isShown: true, read: (value, name) => copyOf(custom.readType(value, name)) },
  { name: 'verify', parsers: WHOLE, read: readVerify },
  { name: 'inflate', parsers: ALL, isShown: true, read: (value) => value !== false },
  { name: 'defaultCharset', parsers: ['json', 'text'], isShown: true, read: readCharset },
  { name: 'defaultCharset', parsers: ['urlencoded'], isShown: true, read: form.readCharset },
  { name: 'extended', parsers: ['urlencoded', 'multipart'], isShown: true, read: Boolean },
  { name: 'parameterLimit', parsers: ['urlencoded'], isShown: true, read: form.readParameterLimit },
  { name: 'depth', parsers: ['urlencoded', 'multipart'], isShown: true, read: form.readDepth },
  { name: 'charsetSentinel', parsers: ['urlencoded'], isShown: true, read: (value) => value === true },
  { name: 'interpretNumericEntities', parsers: ['urlencoded'], isShown: true, read: (value) => value === true },
  { name: 'reviver', parsers: JSON_PARSERS, read: (value) => isFunction(value) ? value : undefined }, // as JSON.parse does

  // Those of all parsers that are ours.
  { name: 'charset', parsers: ['custom'], isShown: true, read: custom.readCharset },
  { name: 'drainLimit', parsers: ALL, isShown: true, read: size(64 * MEBIBYTE) },
  { name: 'buffered', parsers: ALL, web: false, off: false, read: boolean },
  { name: 'rawBody', parsers: WHOLE, web: false, off: false, read: readRawBody },
  { name: 'budget', parsers: ALL, web: false, read: (value) => value ?? null },
  { name: 'timeout', parsers: ALL, off: Infinity, read: milliseconds },
  { name: 'minRate', parsers: ALL, web: false, off: 0, read: readMinRate },

  // Those of one parser that are ours.
  { name: 'onProtoPoisoning', parsers: JSON_PARSERS, off: 'ignore', excludes: ['reviver'], read: readAction, parse: () => require('../json/poisoning') }, // what a reviver makes, such as a cycle, cannot be searched
  { name: 'onConstructorPoisoning', parsers: JSON_PARSERS, off: 'ignore', excludes: ['reviver'], read: readAction, parse: () => require('../json/poisoning') },
  { name: 'parse', parsers: ['json'], excludes: ['depth', 'onProtoPoisoning', 'onConstructorPoisoning'], read: optionalFunction, parse: () => require('../json/own-parse') },
  { name: 'depth', parsers: JSON_PARSERS, off: Infinity, read: levels, parse: () => require('../json/depth') },
  { name: 'strict', parsers: JSON_PARSERS, isShown: true, off: false, read: (value) => value !== false, parse: () => require('../json/parse').requireContainer },
  { name: 'empty', parsers: ['json'], read: (value, name, { isThere }) => isThere ? { value } : null, parse: () => require('../json/empty') },
  { name: 'cooperative', parsers: ['json'], web: false, off: false, excludes: ['parse', 'reviver'], read: (value) => value ?? null },
  { name: 'parse', parsers: ['urlencoded'], excludes: ['charsetSentinel', 'depth', 'interpretNumericEntities', 'qs'], read: optionalFunction, parse: () => require('../form/own-parse') },
  { name: 'qs', parsers: ['urlencoded'], read: (value) => value ?? null, parse: () => require('../form/qs-options') },
  { name: 'parse', parsers: ['custom'], read: custom.readParse },
  { name: 'fields', parsers: ['multipart'], isShown: true, read: ofMultipart('readFields') },
  { name: 'files', parsers: ['multipart'], isShown: true, read: ofMultipart('readFiles') },
  { name: 'limit', parsers: ['multipart'], isShown: true, read: ofMultipart('readLimit') },
  { name: 'parts', parsers: ['multipart'], isShown: true, read: ofMultipart('readParts') },
  { name: 'store', parsers: ['multipart'], isShown: true, read: ofMultipart('readStore') },
  { name: 'record', parsers: ['ndjson'], isShown: true, read: size(MEBIBYTE) },
  { name: 'max', parsers: ['ndjson'], isShown: true, read: count(1e6) },
  { name: 'onError', parsers: ['ndjson'], isShown: true, read: oneOf(['stop', 'collect'], "'stop' or 'collect'") },
  { name: 'verify', parsers: STREAMS, isRefused: true, read: refuse },
  { name: 'rawBody', parsers: STREAMS, isRefused: true, read: refuse },
  { name: 'parse', parsers: STREAMS, isRefused: true, read: refuse },

  // Checks what all others have made of the body.
  { name: 'schema', parsers: [...WHOLE, 'multipart'], read: (value) => value ?? null },
  { name: 'schema', parsers: ['ndjson'], read: (value) => value ?? null, parse: () => require('../ndjson/schema') } // each record
]

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

/** Without a prototype, as rows are asked for fields that they lack, and somebody may have set `Object.prototype.parse`. */
module.exports = rows.map((row) => ({ __proto__: null, ...row }))
module.exports.STREAMS = STREAMS
