'use strict'

// All options. What each takes is checked by a function of ../core/checks.js, or by
// one that stands above the rows. Other files are loaded only if their option is
// given, so that no app starts slower for options that it does not use.

const {
  anyValue, boolean, count, hasValue, isFunction, milliseconds, oneOf, optional, optionalFunction, poisoningAction,
  readBytes, readSize, required, toNumber, unlessFalsy
} = require('../core/checks')

const WHOLE = ['json', 'raw', 'text', 'urlencoded', 'custom'] // the parsers that have the whole body
const RECORDS = ['ndjson', 'jsonArray']
const JSON_PARSERS = ['json', ...RECORDS]
const STREAMS = ['multipart', ...RECORDS]
const ALL = [...WHOLE, ...STREAMS]
const KIBIBYTE = 1024 // bytes
const MEBIBYTE = 1024 * KIBIBYTE

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string[]} parsers that have the option
 * @property {unknown} [fallback] the value in effect without the option, for which `read` is not called. A row without
 *   this field has it called in any case
 * @property {(value: unknown, name: string, fallback: unknown, context: Context) => unknown} read
 *   returns the value in effect, or throws a TypeError; most are of ../core/checks.js
 * @property {(value: unknown, name: string, settings: object) => unknown} [check] the same for an option that is
 *   on, once all are read and none excludes another; gets what `read` has returned
 * @property {unknown} [off] the value that changes nothing, if that is not the fallback
 * @property {string[]} [excludes] options that must not be given while it is on, whatever their value. Of two options
 *   that exclude each other, the one that has this is the one whose "off" value may be given together with the other
 * @property {() => Extend} [load] returns the function that changes a parser
 * @property {'refused' | 'own'} [web] for an option that needs modules of Node, or changes what ../web does not have,
 *   such as stages: it refuses the option, or implements it itself. "browser" of package.json leaves the files that
 *   such rows name out of bundles
 * @property {true} [isShown] console.log shows it in any case, as it is in effect; others as they were given
 * @property {true} [isRefused] its parsers take no value of it
 *
 * @typedef {(parser: import('../compose').Draft, settings: object) => import('../compose').Draft} Extend
 *   changes a parser that is being composed
 *
 * @typedef {object} Context
 * @property {object} options as they were given
 * @property {object} settings those of the rows above
 * @property {string} parserName
 */

/**
 * Without a prototype: a row lacks fields, which somebody may have set on `Object.prototype`.
 *
 * @param {Omit<Row, 'name' | 'parsers'>} fields
 * @returns {Row}
 */
const option = (name, parsers, fields) => ({ __proto__: null, name, parsers, ...fields })

/** One that console.log shows in any case. */
const shownOption = (name, parsers, fields) => option(name, parsers, { isShown: true, ...fields })

/** Bytes, or a function of the request that returns them. */
const readLimit = (value, name, fallback) => isFunction(value) ? value : readBytes(value, name, fallback)

function readType (value, name, fallback) {
  const type = value || fallback
  return Array.isArray(type) ? [...type] : type // the app may change its list later
}

const typeOf = (parser, fallback) => shownOption('type', [parser], { fallback, read: readType })

// As in body-parser: on for true alone, or off for false alone.
const isTrue = (value) => value === true
const isNotFalse = (value) => value !== false

/** Finite values are truncated to 32 bits, as in body-parser. */
function readParameterLimit (value, name) {
  const number = toNumber(value)
  if (!(number >= 1)) throw new TypeError(`option ${name} must be a positive number`)
  return number === Infinity ? Infinity : number | 0
}

/** How deep the names of fields may nest. */
function readFormDepth (value, name, fallback, { settings: { extended } }) {
  if (!extended) return 0
  if (value === undefined) return 32
  if (!(toNumber(value) >= 0)) throw new TypeError(`option ${name} must be a zero or a positive number`)
  if (value === false) return 0
  return typeof value === 'number' ? value : 5 // what qs makes of other types
}

const checkRate = required((rate) => rate >= 0 && rate < Infinity, 'a number of bytes per second')

const SCHEMA = {
  fallback: null,
  read: anyValue,
  check: optional(
    (schema) => isFunction(schema['~standard']?.validate),
    'a Standard Schema, as zod, valibot and arktype make them'
  )
}

/** Without `onError: 'collect'`, the first record that is wrong ends the loop. */
function checkMaxErrors (value, name, { given, onError }) {
  if (hasValue(given[name]) && onError === 'stop') throw new TypeError(`option ${name} needs onError: 'collect'`)
  return value
}

/** For what needs the whole body, which parsers of streams never have. */
function refuse (value, name, fallback, { parserName }) {
  if (!value) return fallback
  throw new TypeError(`option ${name} cannot be combined with ${parserName}, which never has the whole body`)
}

/** A check of ./files.js. */
const byFiles = (check) => (...args) => require('./files')[check](...args)

const loadGuards = () => require('./guards')

/**
 * Options are read in this order, which is body-parser's as far as it has them, and change the parser in this order:
 * each wraps those above it.
 *
 * @type {Row[]}
 */
const ROWS = [
  // Those of body-parser.
  shownOption('limit', WHOLE, { fallback: 100 * KIBIBYTE, read: readLimit }),
  shownOption('limit', RECORDS, { fallback: 100 * MEBIBYTE, read: readLimit }),
  typeOf('json', 'application/json'),
  typeOf('raw', 'application/octet-stream'),
  typeOf('text', 'text/plain'),
  typeOf('urlencoded', 'application/x-www-form-urlencoded'),
  typeOf('ndjson', [ // no name of JSON lines is registered, and clients send all of these
    'application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonl', 'text/jsonl',
    'application/jsonlines', 'application/x-jsonlines', 'application/json-seq'
  ]),
  typeOf('jsonArray', ['application/json', '+json']),
  shownOption('type', ['multipart'], {
    fallback: 'multipart/form-data',
    read: (value, name, fallback) => require('./files').checkType(readType(value, name, fallback), name)
  }),
  shownOption('type', ['custom'], { read: (...args) => readType(require('./custom').checkType(...args)) }),
  option('verify', WHOLE, { fallback: undefined, read: unlessFalsy(optional(isFunction, 'function')) }),
  shownOption('inflate', ALL, { fallback: true, read: isNotFalse }),
  shownOption('defaultCharset', ['json', 'text'], {
    fallback: 'utf-8',
    read: unlessFalsy(optional((value) => typeof value === 'string', 'a string'))
  }),
  shownOption('defaultCharset', ['urlencoded'], {
    fallback: 'utf-8',
    read: unlessFalsy(oneOf(['utf-8', 'iso-8859-1'], 'either utf-8 or iso-8859-1'))
  }),
  shownOption('defaultCharset', ['multipart'], {
    fallback: 'utf-8',
    read: (value, name, fallback) => String(value ?? fallback).toLowerCase() // checked where forms are read
  }),
  shownOption('extended', ['urlencoded', 'multipart'], { fallback: false, read: Boolean }),
  shownOption('parameterLimit', ['urlencoded'], { fallback: 1000, read: readParameterLimit }),
  shownOption('depth', ['urlencoded', 'multipart'], { read: readFormDepth }),
  shownOption('charsetSentinel', ['urlencoded'], { fallback: false, read: isTrue }),
  shownOption('interpretNumericEntities', ['urlencoded'], { fallback: false, read: isTrue }),
  option('reviver', JSON_PARSERS, { fallback: undefined, read: (value) => isFunction(value) ? value : undefined }),

  // Those of all parsers that are ours.
  shownOption('charset', ['custom'], {
    fallback: 'utf-8',
    read: (...args) => require('./custom').readCharset(...args)
  }),
  shownOption('drainLimit', ALL, { fallback: 64 * MEBIBYTE, read: readSize }),
  option('buffered', ALL, { fallback: false, read: boolean, load: () => require('./buffered'), web: 'refused' }),
  option('contentDigest', ALL, {
    fallback: null,
    read: oneOf(['check', 'require'], "'check' or 'require'"),
    load: () => require('./content-digest'),
    web: 'own'
  }),
  option('rawBody', WHOLE, {
    fallback: false,
    read: optional(
      (value) => isFunction(value) || [true, false, 'coded'].includes(value),
      "true, false, 'coded' or a function"
    ),
    load: () => require('./raw-body'),
    web: 'refused'
  }),
  option('budget', ALL, {
    fallback: null,
    read: anyValue,
    check: (...args) => require('../core/lifetime/budget').checkBudget(...args),
    load: loadGuards,
    web: 'own'
  }),
  option('timeout', ALL, { fallback: Infinity, read: milliseconds, load: loadGuards, web: 'own' }),
  option('minRate', ALL, {
    fallback: 0,
    read: (value, name, fallback) => checkRate(readBytes(value, name, fallback), name),
    load: loadGuards,
    web: 'own'
  }),

  // Those of one parser that are ours.
  ...['onProtoPoisoning', 'onConstructorPoisoning'].map((name) => option(name, JSON_PARSERS, {
    fallback: 'ignore',
    read: poisoningAction,
    excludes: ['reviver'], // what it makes, such as a cycle, cannot be searched
    load: () => require('./parse').refusePoison
  })),
  option('parse', ['json'], {
    fallback: undefined,
    read: optionalFunction,
    excludes: ['depth', 'onProtoPoisoning', 'onConstructorPoisoning'],
    load: () => require('./parse').parseJsonByApp
  }),
  option('depth', JSON_PARSERS, { fallback: Infinity, read: count, load: () => require('./parse').limitDepth }),
  shownOption('strict', ['json', 'ndjson'], {
    fallback: true,
    off: false,
    read: isNotFalse,
    load: () => require('../formats/json/parse').requireContainer
  }),
  option('empty', ['json'], { // undefined is a value of it, if the options have the property
    off: null,
    read: (value, name, fallback, { options }) => name in Object(options) ? { value } : null,
    check: (...args) => require('./empty').checkEmpty(...args),
    load: () => require('./empty').setEmptyBody
  }),
  option('cooperative', ['json'], {
    fallback: false,
    read: anyValue,
    check: (...args) => require('../formats/json/cooperative').checkCooperative(...args),
    excludes: ['parse', 'reviver'],
    load: () => require('../formats/json/cooperative'),
    web: 'refused'
  }),
  option('parse', ['urlencoded'], {
    fallback: undefined,
    read: optionalFunction,
    excludes: ['charsetSentinel', 'depth', 'interpretNumericEntities', 'qs'],
    load: () => require('./parse').parseFormByApp
  }),
  option('qs', ['urlencoded'], {
    fallback: null,
    read: anyValue,
    check: (...args) => require('./qs').checkQs(...args),
    load: () => require('./qs').parseByQs
  }),
  option('parse', ['custom'], { read: required(isFunction, 'a function') }),
  shownOption('fields', ['multipart'], { fallback: {}, read: byFiles('readFields') }),
  shownOption('files', ['multipart'], { read: byFiles('readFiles') }),
  shownOption('total', ['multipart'], { fallback: undefined, read: readSize }),
  shownOption('limit', ['multipart'], { fallback: undefined, read: readLimit }),
  shownOption('parts', ['multipart'], { read: byFiles('readParts'), check: byFiles('setLimits') }),
  shownOption('store', ['multipart'], {
    fallback: 'memory',
    read: byFiles('readStoreOfAll'),
    check: byFiles('checkStore')
  }),
  option('detect', ['multipart'], { fallback: undefined, read: optionalFunction }),
  option('digest', ['multipart'], { fallback: null, read: anyValue }),
  shownOption('record', RECORDS, { fallback: MEBIBYTE, read: readSize }),
  option('path', ['jsonArray'], {
    fallback: [],
    read: (...args) => require('../records/json-array/json-pointer').readPath(...args)
  }),
  shownOption('max', RECORDS, { fallback: Infinity, read: count }),
  shownOption('onError', RECORDS, { fallback: 'stop', read: oneOf(['stop', 'collect'], "'stop' or 'collect'") }),
  option('maxErrors', RECORDS, { fallback: 1000, read: count, check: checkMaxErrors }),
  ...['verify', 'rawBody', 'parse'].map((name) =>
    option(name, STREAMS, { fallback: undefined, read: refuse, isRefused: true })),

  // Checks what all others have made of the body.
  option('schema', [...WHOLE, 'multipart'], { ...SCHEMA, load: () => require('../answers/schema'), web: 'own' }),
  option('schema', RECORDS, { ...SCHEMA, load: () => require('../records/record-check') })
]

module.exports = { ROWS, STREAMS }
