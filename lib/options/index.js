'use strict'

// Reads the options of a parser, once, when it is made. Inherited properties
// count; primitives and null mean all defaults.

const { hasValue, warnOfUnknown } = require('../core/checks')
const rows = require('./table')

const { STREAMS } = rows

/** Apps share one object among parsers, so those that read whole bodies know the options of each other. */
const SHARED = rows.filter(({ parsers }) => parsers.some((name) => !STREAMS.includes(name))).map(({ name }) => name)

/**
 * @param {string} parser its name
 * @param {unknown} options
 * @param {(type: unknown) => unknown} [compileType] for parsers that take fewer types: what is in effect in its place
 * @returns {object} the value in effect of each option that the parser has;
 *   `given`: the values as they were given
 * @throws {TypeError} naming the option that is wrong, or excluded by another
 */
function readOptions (parser, options, compileType = (type) => type) {
  refuseRequest(options)
  const own = rowsOf(parser)
  checkNames(parser, options, own)
  const settings = { given: {} }
  for (const { name, read } of own) {
    const value = settings.given[name] = options?.[name]
    settings[name] = read(value, name, { settings, parser, isThere: name in Object(options) })
    if (name === 'type') settings.type = compileType(settings.type)
  }
  const on = own.filter((row) => isOn(row, settings))
  for (const { name, excludes } of on) {
    const other = excludes?.find((other) => isGiven(other, settings))
    if (other !== undefined) throw new TypeError(`option ${other} cannot be combined with ${name}`)
  }
  for (const { name, check } of on) if (check) settings[name] = check(settings[name], name, settings)
  return settings
}

/**
 * body-parser ignores what it does not know; it has no parsers of streams, for which nothing asks for that. An option
 * that has no effect may be one that was to protect the app.
 *
 * @throws {TypeError} for such a parser, unless the value is undefined or null
 */
function checkNames (parser, options, ownRows) {
  const own = ownRows.filter(({ isRefused }) => !isRefused).map(({ name }) => name)
  if (!STREAMS.includes(parser)) {
    warnOfUnknown(options, new Set([...SHARED, ...own]), own, (name) => require('./foreign').synonymOf(parser, name))
    return
  }
  const isKnown = (name) => ownRows.some((row) => row.name === name)
  const unknown = Object.keys(options ?? {}).find((name) => !isKnown(name) && hasValue(options[name]))
  if (unknown === undefined) return
  const others = rows.filter(({ name }) => name === unknown).flatMap(({ parsers }) => parsers)
    .map((other) => other === 'custom' ? 'createParser' : other)
  const hint = require('./foreign').hintOf(parser, unknown, own, others)
  throw new TypeError(`option ${unknown} is unknown to ${parser}: ${hint}`)
}

const rowsOf = (parser) => rows.filter(({ parsers }) => parsers.includes(parser))

/** Whether an option changes its parser. */
const isOn = ({ name, off }, settings) => (settings[name] ?? off) !== off

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
  const row = rows.find(({ name, web }) => web === false && hasValue(options?.[name]))
  if (row !== undefined) throw new TypeError(`option ${row.name} cannot be combined with fast-body-parser/web`)
}

/**
 * Applies the options that are on in the order of their rows: each wraps those
 * above it. Two options may have one file.
 *
 * @param {object} parser that is being composed
 * @param {object} [loaders] those of ../compose.js
 * @returns {object} the parser, changed
 */
function extend (parser, settings, loaders) {
  const on = rowsOf(parser.name).filter((row) => isOn(row, settings))
  const extensions = new Set(on.flatMap((row) => row.load ?? loaders?.[row.name] ?? []).map((load) => load()))
  return [...extensions].reduce((parser, extension) => extension(parser, settings), parser)
}

module.exports = { extend, isOn, readOptions, refuseUnsupported, rowsOf }
