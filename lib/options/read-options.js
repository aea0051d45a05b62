'use strict'

// Reads the options of a parser when it is made, lets those that are on change it, and shows them.

const { hasValue, isObject, warnOfUnknown } = require('../core/checks')
const { nextTick } = require('../core/platform')
const { ROWS, STREAMS } = require('./table')

/** @typedef {import('./table').Row} Row */

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
    const { fallback, name, read } = row
    const value = settings.given[name] = options?.[name]
    const isFallback = 'fallback' in row && (value === undefined || value === fallback)
    settings[name] = isFallback ? fallback : read(value, name, fallback, { options, parserName, settings })
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

/** @returns {Row[]} the options that change something */
const activeRows = (parserName, settings) => rowsOf(parserName).filter((row) => isChanged(row, settings))

const isChanged = ({ fallback, name, off = fallback }, settings) => (settings[name] ?? off) !== off

/** Whether it has a value that is not ignored, be it the default. */
const isGiven = (name, settings) => hasValue(settings.given[name]) && settings[name] !== undefined

/** `app.use(bodyParser.json)` would leave every request without an answer. */
function refuseRequest (options) {
  if (typeof options?.pipe === 'function' && options.headers !== undefined) {
    throw new TypeError('options cannot be a request: the parser must be made first, as in app.use(bodyParser.json())')
  }
}

/** @throws {TypeError} for an option that fast-body-parser/web does not have, unless it is off */
function refuseUnsupported (options) {
  const row = ROWS.find((row) => row.web === 'refused' && isChanged(row, options ?? {}))
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
  const changing = activeRows(parser.name, settings).filter(({ load, web }) => load && (isMiddleware || web !== 'own'))
  const extensions = new Set(changing.map(({ load }) => load()))
  return [...extensions].reduce((parser, extension) => extension(parser, settings), parser)
}

const RULE = 2 // levels: files, a rule, its types

/**
 * What console.log shows of a parser: its name, and the options in effect. The parameters behind `parser` are those of
 * a function for `util.inspect.custom`.
 */
function showParser (middleware, { name, settings }, depth, format, inspect) {
  const title = format.stylize(`[Function: ${middleware.name}]`, 'special')
  if (depth < 0) return title
  const shown = {}
  for (const row of rowsOf(name)) {
    if (row.isShown) shown[row.name] = settings[row.name]
    else if (isChanged(row, settings)) shown[row.name] = settings.given[row.name]
  }
  if (shown.files) shown.files = { [inspect.custom]: () => inspect(settings.files, { ...format, depth: RULE }) }
  if (shown.schema) shown.schema = { vendor: shown.schema['~standard'].vendor } // the whole may be huge
  // `inspect` does not see that the parser is in it again: only a depth that decreases ends.
  return `${title} ${inspect({ ...shown, ...middleware }, { ...format, depth: Math.min(depth ?? 1, 1) })}`
}

module.exports = { extend, factoryOf, readOptions, refuseUnsupported, showParser }
