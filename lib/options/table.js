'use strict'

// The options of all parsers, each in one row: what it takes, what it excludes,
// and the file that implements it, if it changes how a body is parsed. They are
// read in this order, which is body-parser's as far as it has them, and change
// the parser in this order.

const {
  boolean,
  count,
  hasValue,
  isFunction,
  kind,
  levels,
  milliseconds,
  oneOf,
  optionalFunction,
  poisoningAction,
  readBytes,
  readSize,
  required,
  size,
  unlessFalsy
} = require('../core/checks')

const TYPES = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json-seq'],
  jsonArray: ['application/json', '+json']
}
const WHOLE = ['json', 'raw', 'text', 'urlencoded', 'custom'] // the parsers that have the whole body
const RECORDS = ['ndjson', 'jsonArray']
const JSON_PARSERS = ['json', ...RECORDS]
const STREAMS = ['multipart', ...RECORDS]
const ALL = [...WHOLE, ...STREAMS]

const MEBIBYTE = 1024 * 1024 // bytes

const copyOf = (value) => Array.isArray(value) ? [...value] : value // the app may change its list later
const readType = (value, name, { parser }) => copyOf(value || TYPES[parser])
const isNotFalse = (value) => value !== false
const isTrue = (value) => value === true
const isString = (value) => typeof value === 'string'
const readOptional = (value) => value ?? null
const readLimit = (fallback) => (value, name) => isFunction(value) ? value : readBytes(name, value, fallback)
const readRawBody = kind(
  (value) => isFunction(value) || [true, false, 'coded'].includes(value),
  "true, false, 'coded' or a function",
  false
)
const readRate = required((rate) => rate >= 0 && rate < Infinity, 'a number of bytes per second')
const readMinRate = (value, name) => readRate(readBytes(name, value, 0), name)
const checkEmpty = required(({ value }) => {
  const isObject = Object.prototype.toString.call(value) === '[object Object]' && Object.keys(value).length === 0
  return isObject || value === undefined || value === 'error'
}, "undefined, {} or 'error'")
const checkSchema = kind(
  (schema) => isFunction(schema['~standard']?.validate),
  'a Standard Schema, as zod, valibot and arktype make them'
)

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string[]} parsers that have the option
 * @property {(value: unknown, name: string, context: Context) => unknown} read
 *   returns the value in effect, or throws a TypeError
 * @property {(value: unknown, name: string, settings: object) => unknown} [check] the same for an option that is
 *   on, once all are read and none excludes another; gets what `read` has returned
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

/**
 * Without a prototype: a row lacks fields, which somebody may have set on `Object.prototype`.
 *
 * @param {Partial<Row>} [more] fields, besides those that each row has
 * @returns {Row}
 */
const row = (name, parsers, read, more) => ({ __proto__: null, name, parsers, read, ...more })
const shown = (name, parsers, read, more) => row(name, parsers, read, { isShown: true, ...more })

// The checks of one parser are loaded with its first option.
const checkOf = (name) => (...args) => require('./multipart')[name](...args)
const ofMultipart = (name, more) => shown(name, ['multipart'], checkOf(name), more)
const ofUrlencoded = (name) => (...args) => require('./urlencoded')[name](...args)
const ofNode = (name) => (...args) => require('./node-only')[name](...args)

/** @type {Row[]} */
module.exports = [
  // Those of body-parser.
  shown('limit', WHOLE, readLimit(102400)),
  shown('limit', RECORDS, readLimit(100 * MEBIBYTE)),
  shown('type', Object.keys(TYPES).filter((parser) => parser !== 'multipart'), readType),
  shown('type', ['multipart'], (value, name, context) => checkOf('type')(readType(value, name, context), name)),
  shown('type', ['custom'], (...args) => copyOf(ofNode('readType')(...args))),
  row('verify', WHOLE, unlessFalsy(kind(isFunction, 'function'))),
  shown('inflate', ALL, isNotFalse),
  shown('defaultCharset', ['json', 'text'], unlessFalsy(kind(isString, 'a string', 'utf-8'))),
  shown('defaultCharset', ['urlencoded'], unlessFalsy(oneOf(['utf-8', 'iso-8859-1'], 'either utf-8 or iso-8859-1'))),
  shown('defaultCharset', ['multipart'], ofNode('readFormCharset')),
  shown('extended', ['urlencoded', 'multipart'], Boolean),
  shown('parameterLimit', ['urlencoded'], ofUrlencoded('readParameterLimit')),
  shown('depth', ['urlencoded', 'multipart'], ofUrlencoded('readDepth')),
  shown('charsetSentinel', ['urlencoded'], isTrue),
  shown('interpretNumericEntities', ['urlencoded'], isTrue),
  row('reviver', JSON_PARSERS, (value) => isFunction(value) ? value : undefined), // as JSON.parse reads it

  // Those of all parsers that are ours.
  shown('charset', ['custom'], ofNode('readCharset')),
  shown('drainLimit', ALL, size(64 * MEBIBYTE)),
  row('buffered', ALL, boolean, { web: false, off: false }),
  row('rawBody', WHOLE, readRawBody, { web: false, off: false }),
  row('budget', ALL, readOptional, { web: false, check: ofNode('checkBudget') }),
  row('timeout', ALL, milliseconds, { off: Infinity }),
  row('minRate', ALL, readMinRate, { web: false, off: 0 }),

  // Those of one parser that are ours.
  ...['onProtoPoisoning', 'onConstructorPoisoning'].map((name) => row(name, JSON_PARSERS, poisoningAction, {
    off: 'ignore',
    excludes: ['reviver'], // what it makes, such as a cycle, cannot be searched
    load: () => require('../formats/json/poisoning')
  })),
  row('parse', ['json'], optionalFunction, {
    excludes: ['depth', 'onProtoPoisoning', 'onConstructorPoisoning'],
    load: () => require('../formats/json/own-parse')
  }),
  row('depth', JSON_PARSERS, levels, { off: Infinity, load: () => require('../formats/json/depth') }),
  shown('strict', ['json', 'ndjson'], isNotFalse, {
    off: false,
    load: () => require('../formats/json/parse').requireContainer
  }),
  row('empty', ['json'], (value, name, { isThere }) => isThere ? { value } : null, { // undefined is a value
    check: checkEmpty,
    load: () => require('../formats/json/empty')
  }),
  row('cooperative', ['json'], readOptional, {
    web: false,
    off: false,
    excludes: ['parse', 'reviver'],
    check: checkCooperative
  }),
  row('parse', ['urlencoded'], optionalFunction, {
    excludes: ['charsetSentinel', 'depth', 'interpretNumericEntities', 'qs'],
    load: () => require('../formats/urlencoded/own-parse')
  }),
  row('qs', ['urlencoded'], readOptional, {
    check: ofUrlencoded('checkQs'),
    load: () => require('../formats/urlencoded/qs-options')
  }),
  row('parse', ['custom'], required(isFunction, 'a function')),
  ...['fields', 'files', 'total', 'limit'].map((name) => ofMultipart(name)),
  ofMultipart('parts', { check: checkOf('complete') }),
  ofMultipart('store'),
  shown('record', RECORDS, size(MEBIBYTE)),
  row('path', ['jsonArray'], (...args) => require('../records/json-array/pointer').readPath(...args)),
  shown('max', RECORDS, count(Infinity)),
  shown('onError', RECORDS, oneOf(['stop', 'collect'], "'stop' or 'collect'")),
  row('maxErrors', RECORDS, count(1000), { off: 1000, check: checkMaxErrors }),
  ...['verify', 'rawBody', 'parse'].map((name) => row(name, STREAMS, refuse, { isRefused: true })),

  // Checks what all others have made of the body.
  row('schema', [...WHOLE, 'multipart'], readOptional, { check: checkSchema }),
  row('schema', RECORDS, readOptional, {
    check: checkSchema,
    load: () => require('../records/schema') // for each record
  })
]

module.exports.STREAMS = STREAMS

/** For options that need the whole body, which some parsers never have. */
function refuse (value, name, { parser }) {
  if (value) throw new TypeError(`option ${name} cannot be combined with ${parser}, which never has the whole body`)
}

/** Where the first error ends the loop, it would do nothing. */
function checkMaxErrors (value, name, { given, onError }) {
  if (hasValue(given[name]) && onError === 'stop') throw new TypeError(`option ${name} needs onError: 'collect'`)
  return value
}

/** @returns {{ slice: number, threshold: number }} ms and bytes */
function checkCooperative (value) {
  const { slice, threshold, ...others } = value // `true` has none of them
  const isRight = value === true || (typeof value === 'object' && !Array.isArray(value))
  if (!isRight || Object.keys(others).length > 0) {
    throw new TypeError('option cooperative must be true, false, or an object of slice and threshold')
  }
  return {
    slice: milliseconds(slice ?? 0.25, 'cooperative.slice'),
    threshold: readSize('cooperative.threshold', threshold, MEBIBYTE / 4)
  }
}
