'use strict'

// All options, in their order, and how those of a parser are read: once, when it
// is made. Each has a file here, which says what values it takes and how it
// changes a parser. A file is loaded only if its option is given, as to load all
// takes 10 ms; so what must be known without it stands in this list.

const { hasValue, isObject, warnOfUnknown } = require('../core/checks')
const { nextTick } = require('../core/platform')

const WHOLE = ['json', 'raw', 'text', 'urlencoded', 'custom'] // the parsers that have the whole body
const RECORDS = ['ndjson', 'jsonArray']
const JSON_PARSERS = ['json', ...RECORDS]
const STREAMS = ['multipart', ...RECORDS]
const ALL = [...WHOLE, ...STREAMS]
const MEBIBYTE = 1024 * 1024 // bytes

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string[]} parsers that have the option
 * @property {() => Option} load its file
 * @property {unknown} [fallback] the value without the option, and the value that changes nothing: its file is not
 *   loaded for it. Without this field, it always is
 * @property {false} [web] fast-body-parser/web does not have it
 * @property {true} [isRefused] its parsers take no value of it
 * @property {true} [takesUndefined] undefined is a value of it, if the options have the property
 * @property {true} [isShown] console.log shows it in any case, as it is in effect; others as they were given
 *
 * @typedef {object} Option what a file of this folder exports
 * @property {(value: unknown, name: string, fallback: unknown, context: Context) => unknown} read
 *   returns the value in effect, or throws a TypeError; most are of ../core/checks.js
 * @property {(value: unknown, name: string, settings: object) => unknown} [check] the same for an option that is
 *   on, once all are read and none excludes another; gets what `read` has returned
 * @property {unknown} [off] the value that changes nothing, of an option without a fallback
 * @property {string[]} [excludes] options that it cannot be combined with
 * @property {Extend} [extend] changes a parser that is being composed
 * @property {() => Extend} [loadExtend] the same, if it needs modules of Node; fast-body-parser/web then implements the
 *   option itself
 *
 * @typedef {(parser: import('../compose').Draft, settings: object) => import('../compose').Draft} Extend
 *
 * @typedef {object} Context
 * @property {object} settings those of the rows above
 * @property {string} parserName
 */

/**
 * Without a prototype: a row lacks fields, which somebody may have set on `Object.prototype`.
 *
 * @param {Partial<Row>} [more] fields, besides those that each row has
 * @returns {Row}
 */
const option = (name, parsers, load, more) => ({ __proto__: null, name, parsers, load, ...more })

/** The same, and console.log shows it in any case. */
const shownOption = (name, parsers, load, more) => option(name, parsers, load, { isShown: true, ...more })

/** Its file needs modules of Node: "browser" of package.json leaves it out of bundles. */
const nodeOption = (name, parsers, load, more) => option(name, parsers, load, { web: false, ...more })

const typeOf = (parser, fallback) => shownOption('type', [parser], () => require('./type'), { fallback })

/**
 * Options are read in this order, which is body-parser's as far as it has them, and change the parser in this order:
 * each wraps those above it.
 *
 * @type {Row[]}
 */
const ROWS = [
  // Those of body-parser.
  shownOption('limit', WHOLE, () => require('./limit'), { fallback: 100 * 1024 }),
  shownOption('limit', RECORDS, () => require('./limit'), { fallback: 100 * MEBIBYTE }),
  typeOf('json', 'application/json'),
  typeOf('raw', 'application/octet-stream'),
  typeOf('text', 'text/plain'),
  typeOf('urlencoded', 'application/x-www-form-urlencoded'),
  typeOf('ndjson', [ // no name of JSON lines is registered, and clients send all of these
    'application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonl', 'text/jsonl',
    'application/jsonlines', 'application/x-jsonlines', 'application/json-seq'
  ]),
  typeOf('jsonArray', ['application/json', '+json']),
  shownOption('type', ['multipart'], () => require('./type-of-multipart'), { fallback: 'multipart/form-data' }),
  shownOption('type', ['custom'], () => require('./type-of-custom')),
  option('verify', WHOLE, () => require('./verify'), { fallback: undefined }),
  shownOption('inflate', ALL, () => require('./inflate'), { fallback: true }),
  shownOption('defaultCharset', ['json', 'text'], () => require('./default-charset'), { fallback: 'utf-8' }),
  shownOption('defaultCharset', ['urlencoded'], () => require('./default-charset-of-forms'), { fallback: 'utf-8' }),
  shownOption('defaultCharset', ['multipart'], () => require('./default-charset-of-multipart'), { fallback: 'utf-8' }),
  shownOption('extended', ['urlencoded', 'multipart'], () => require('./extended'), { fallback: false }),
  shownOption('parameterLimit', ['urlencoded'], () => require('./parameter-limit'), { fallback: 1000 }),
  shownOption('depth', ['urlencoded', 'multipart'], () => require('./depth-of-forms')),
  shownOption('charsetSentinel', ['urlencoded'], () => require('./charset-sentinel'), { fallback: false }),
  shownOption('interpretNumericEntities', ['urlencoded'], () => require('./numeric-entities'), { fallback: false }),
  option('reviver', JSON_PARSERS, () => require('./reviver'), { fallback: undefined }),

  // Those of all parsers that are ours.
  shownOption('charset', ['custom'], () => require('./charset'), { fallback: 'utf-8' }),
  shownOption('drainLimit', ALL, () => require('./drain-limit'), { fallback: 64 * MEBIBYTE }),
  nodeOption('buffered', ALL, () => require('./buffered'), { fallback: false }),
  nodeOption('rawBody', WHOLE, () => require('./raw-body'), { fallback: false }),
  nodeOption('budget', ALL, () => require('./budget'), { fallback: null }),
  option('timeout', ALL, () => require('./timeout'), { fallback: Infinity }),
  nodeOption('minRate', ALL, () => require('./min-rate'), { fallback: 0 }),

  // Those of one parser that are ours.
  option('onProtoPoisoning', JSON_PARSERS, () => require('./poisoning'), { fallback: 'ignore' }),
  option('onConstructorPoisoning', JSON_PARSERS, () => require('./poisoning'), { fallback: 'ignore' }),
  option('parse', ['json'], () => require('./parse'), { fallback: undefined }),
  option('depth', JSON_PARSERS, () => require('./depth'), { fallback: Infinity }),
  shownOption('strict', ['json', 'ndjson'], () => require('./strict')),
  option('empty', ['json'], () => require('./empty'), { fallback: null, takesUndefined: true }),
  nodeOption('cooperative', ['json'], () => require('./cooperative'), { fallback: false }),
  option('parse', ['urlencoded'], () => require('./parse-of-forms'), { fallback: undefined }),
  option('qs', ['urlencoded'], () => require('./qs'), { fallback: null }),
  option('parse', ['custom'], () => require('./parse-of-custom')),
  shownOption('fields', ['multipart'], () => require('./fields'), { fallback: {} }),
  shownOption('files', ['multipart'], () => require('./files')),
  shownOption('total', ['multipart'], () => require('./total'), { fallback: undefined }),
  shownOption('limit', ['multipart'], () => require('./limit'), { fallback: undefined }),
  shownOption('parts', ['multipart'], () => require('./parts')),
  shownOption('store', ['multipart'], () => require('./store'), { fallback: 'memory' }),
  shownOption('record', RECORDS, () => require('./record'), { fallback: MEBIBYTE }),
  option('path', ['jsonArray'], () => require('./path'), { fallback: [] }),
  shownOption('max', RECORDS, () => require('./max'), { fallback: Infinity }),
  shownOption('onError', RECORDS, () => require('./on-error'), { fallback: 'stop' }),
  option('maxErrors', RECORDS, () => require('./max-errors'), { fallback: 1000 }),
  ...['verify', 'rawBody', 'parse'].map((name) =>
    option(name, STREAMS, () => require('./refused'), { fallback: undefined, isRefused: true })),

  // Checks what all others have made of the body.
  option('schema', [...WHOLE, 'multipart'], () => require('./schema'), { fallback: null }),
  option('schema', RECORDS, () => require('./schema-of-records'), { fallback: null })
]

/** Those of parsers that read whole bodies, among which apps share one object. */
const SHARED = ROWS.filter(({ parsers }) => parsers.some((name) => !STREAMS.includes(name))).map(({ name }) => name)

/** Intentionally module-level: options -> the parsers that got this object. Weak: as long as the object. */
const receivers = new WeakMap()

/**
 * @param {string} parserName
 * @param {unknown} options
 * @param {(type: unknown) => unknown} [compileType] for parsers that take fewer types: what is in effect in its place
 * @returns {object} the value in effect of each option that the parser has;
 *   `given`: the values as they were given
 * @throws {TypeError} naming the option that is wrong, or excluded by another
 */
function readOptions (parserName, options, compileType = (type) => type) {
  refuseRequest(options)
  const own = rowsOf(parserName)
  checkNames(parserName, options, own)
  const settings = { given: {} }
  for (const row of own) {
    const { fallback, load, name } = row
    const value = settings.given[name] = options?.[name]
    const read = needsFile(row, value, options) ? load().read : () => fallback
    settings[name] = read(value, name, fallback, { settings, parserName })
    if (name === 'type') settings.type = compileType(settings.type)
  }
  const active = activeRows(parserName, settings)
  for (const { name, excludes } of active) {
    const other = excludes?.find((other) => isGiven(other, settings))
    if (other !== undefined) throw new TypeError(`option ${other} cannot be combined with ${name}`)
  }
  for (const { name, check } of active) if (check) settings[name] = check(settings[name], name, settings)
  return settings
}

function needsFile (row, value, options) {
  if (row.takesUndefined === true) return row.name in Object(options)
  return !('fallback' in row) || (value !== undefined && value !== row.fallback)
}

/**
 * body-parser ignores what it does not know; it has no parsers of streams, for which nothing asks for that. An option
 * that has no effect may be one that was to protect the app.
 *
 * @throws {TypeError} for such a parser, unless the value is undefined or null
 */
function checkNames (parserName, options, ownRows) {
  const own = ownRows.filter(({ isRefused }) => !isRefused).map(({ name }) => name)
  if (!STREAMS.includes(parserName)) {
    const synonymOf = (name) => require('./foreign').synonymOf(parserName, name)
    warnOfUnknown(options, new Set([...SHARED, ...own]), own, synonymOf)
    if (isObject(options)) warnOfOthers(parserName, options, own)
    return
  }
  const isKnown = (name) => ownRows.some((row) => row.name === name)
  const unknown = Object.keys(options ?? {}).find((name) => !isKnown(name) && hasValue(options[name]))
  if (unknown === undefined) return
  const hint = require('./foreign').hintOf(parserName, unknown, own, ownersOf(unknown).map(factoryOf))
  throw new TypeError(`option ${unknown} is unknown to ${parserName}: ${hint}`)
}

/** Of options that only other parsers have, unless one of these gets the same object until the end of the tick. */
function warnOfOthers (parserName, options, own) {
  const parsers = receivers.get(options) ?? new Set()
  receivers.set(options, parsers.add(parserName))
  const foreign = Object.keys(options).filter((name) => SHARED.includes(name) && !own.includes(name))
  if (foreign.length === 0) return
  const { warnOfOwners } = require('../core/warnings') // now: nothing is loaded later
  nextTick(() => {
    for (const name of foreign) {
      const owners = ownersOf(name)
      if (!owners.some((owner) => parsers.has(owner))) warnOfOwners(name, factoryOf(parserName), owners.map(factoryOf))
    }
  })
}

const ownersOf = (option) => ROWS.filter(({ name }) => name === option).flatMap(({ parsers }) => parsers)

const factoryOf = (parserName) => parserName === 'custom' ? 'createParser' : parserName

const rowsOf = (parserName) => ROWS.filter(({ parsers }) => parsers.includes(parserName))

/** @returns {Option[]} the options that change something: only their files are loaded */
function activeRows (parserName, settings) {
  return rowsOf(parserName)
    .filter((row) => isChanged(row, settings))
    .map(complete)
    .filter(({ name, off }) => settings[name] !== off)
}

/** Whether its value is another than that without the option, which needs no file. */
const isChanged = ({ fallback, name }, settings) => (settings[name] ?? fallback) !== fallback

/** Without a prototype: somebody may have set a field that a row lacks on `Object.prototype`. */
const complete = (row) => ({ __proto__: null, ...row.load(), ...row })

/** Whether it has a value that is not ignored, be it the default. */
const isGiven = (name, settings) => hasValue(settings.given[name]) && settings[name] !== undefined

/** `app.use(bodyParser.json)` would leave every request without an answer. */
function refuseRequest (options) {
  if (typeof options?.pipe === 'function' && options.headers !== undefined) {
    throw new TypeError('options cannot be a request: the parser must be made first, as in app.use(bodyParser.json())')
  }
}

/** @throws {TypeError} for an option that fast-body-parser/web does not have */
function refuseUnsupported (options) {
  const row = ROWS.find(({ name, web }) => web === false && hasValue(options?.[name]))
  if (row !== undefined) throw new TypeError(`option ${row.name} cannot be combined with fast-body-parser/web`)
}

/**
 * Lets the options that are on change a parser, in their order: each wraps
 * those above it. Options that share a function call it once.
 *
 * @param {object} parser that is being composed
 * @param {boolean} isMiddleware whether it is no parser of fast-body-parser/web
 * @returns {object} the parser, changed
 */
function extend (parser, settings, isMiddleware) {
  const extendOf = ({ extend, loadExtend }) => extend ?? (isMiddleware ? loadExtend?.() : undefined) ?? []
  const extensions = new Set(activeRows(parser.name, settings).flatMap(extendOf))
  return [...extensions].reduce((parser, extension) => extension(parser, settings), parser)
}

module.exports = { extend, isChanged, readOptions, refuseUnsupported, ROWS, rowsOf, STREAMS }
