'use strict'

const errors = require('../errors')
const { later, warm } = require('../later')
const { readCommon, readCooperative, readDefaultCharset, readFunction, readJsonDepth, readPoisoning, refuseBeside } = require('../options')
const createReader = require('../read')
const { load: loadRejection, opensContainer, rejectToken } = require('../strict')

const restate = later(() => require('../restate'))

/**
 * Makes a middleware that parses JSON (RFC 8259) into `req.body`.
 *
 * @param {object} [options]
 * @param {number | string} [options.limit='100kb'] most bytes, decoded
 * @param {number | string} [options.drainLimit='64mb'] most bytes to read off
 *   after an error in reading
 * @param {boolean} [options.inflate=true] accept a content coding
 * @param {boolean} [options.codingLists=false] accept several, and x-gzip
 * @param {boolean} [options.strict=true] accept objects and arrays only
 * @param {Function} [options.reviver] second argument of JSON.parse
 * @param {number} [options.depth=Infinity] deepest nesting
 * @param {'error' | 'remove' | 'ignore'} [options.onProtoPoisoning='ignore']
 *   what to do about a key `__proto__`
 * @param {'error' | 'remove' | 'ignore'} [options.onConstructorPoisoning='ignore']
 *   what to do about a key `constructor` that holds a key `prototype`
 * @param {Function} [options.parse] (text, { charset, reviver, req }), in place
 *   of JSON.parse; may return a promise
 * @param {boolean | { slice?: number, threshold?: number | string }} [options.cooperative=false]
 *   parse bodies of more than `threshold` bytes (256 KiB) in slices of about
 *   `slice` ms (0.25), and let other requests have their turn in between
 * @param {string | string[] | Function} [options.type='application/json']
 * @param {Function} [options.verify] (req, res, bytes, charset); throws, or
 *   returns a promise that is rejected, to answer 403
 * @param {string} [options.defaultCharset='utf-8']
 * @param {boolean} [options.rawBody=false] put the bytes on `req.rawBody`
 * @param {boolean} [options.buffered=false] parse what was read before
 * @returns {(req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function json (options) {
  const settings = readCommon(options, 'application/json')
  const charsets = { allows: isUnicode, fallback: readDefaultCharset(options) }
  const strict = options?.strict !== false
  const own = readFunction(options, 'parse')
  const parse = own === undefined ? engineParser(options) : ownParser(own, options)

  const read = createReader({
    name: 'json',
    settings,
    charsets,
    parse: strict ? strictParser(parse) : parse,
    mayWait: own !== undefined,
    cooperation: cooperationOf(options, strict),
    label: strict ? labelStrict : labelLenient
  })

  return function jsonParser (req, res, next) {
    read(req, res, next)
  }
}

/** RFC 8259 names UTF-8 alone; body-parser has always taken its siblings. */
function isUnicode (charset) {
  return charset.startsWith('utf-')
}

function engineParser (options) {
  warm(restate)
  const parse = guardedParse(options)
  const depth = readJsonDepth(options)
  const parseText = (text) => {
    if (text === '') return {}
    try {
      return parse(text)
    } catch (error) {
      throw restate()(error, error.message)
    }
  }
  return depth === Infinity ? parseText : shallowParser(parseText, depth)
}

const BYTE_ORDER_MARK = '\uFEFF'

/** JSON.parse, with a look for poisoned keys if that is asked for. */
function guardedParse (options) {
  const reviver = readReviver(options)
  const protoAction = readPoisoning(options, 'onProtoPoisoning')
  const constructorAction = readPoisoning(options, 'onConstructorPoisoning')
  if (protoAction !== 'ignore' || constructorAction !== 'ignore') {
    // What it makes, such as a cycle or a Map, could not be searched.
    if (reviver !== undefined) throw new TypeError('option reviver cannot be beside onProtoPoisoning or onConstructorPoisoning')
    const { parse } = require('secure-json-parse')
    // It takes a byte order mark off. The one that may be there is off already.
    return (text) => text.startsWith(BYTE_ORDER_MARK) ? JSON.parse(text) : parse(text, undefined, { protoAction, constructorAction })
  }
  return reviver === undefined ? (text) => JSON.parse(text) : (text) => JSON.parse(text, reviver)
}

/** What is no function is ignored, as JSON.parse does. */
function readReviver (options) {
  const reviver = options?.reviver
  return typeof reviver === 'function' ? reviver : undefined
}

function shallowParser (parse, depth) {
  const isDeeperThan = require('../depth')
  return (text) => {
    if (isDeeperThan(text, depth)) throw errors.nestedTooDeep(depth)
    return parse(text)
  }
}

const ENGINE_OPTIONS = ['depth', 'onProtoPoisoning', 'onConstructorPoisoning'] // a parser of the app's own would not know them

function ownParser (parse, options) {
  refuseBeside(options, 'parse', ENGINE_OPTIONS)
  const reviver = readReviver(options)
  return (text, charset, req) => text === '' ? {} : parse(text, { charset, reviver, req })
}

/** What makes calls in the order of a whole tree, or has a mind of its own, cannot be cut into slices. */
function cooperationOf (options, strict) {
  const cooperative = readCooperative(options)
  if (cooperative === null) return null
  refuseBeside(options, 'cooperative', ['parse'])
  if (readReviver(options) !== undefined) throw new TypeError('option reviver cannot be beside cooperative')
  const depth = readJsonDepth(options)
  const parser = {
    protoAction: readPoisoning(options, 'onProtoPoisoning'),
    constructorAction: readPoisoning(options, 'onConstructorPoisoning'),
    depth,
    tooDeep: () => errors.nestedTooDeep(depth)
  }
  return require('../cooperative')({ ...cooperative, strict, parser })
}

function strictParser (parse) {
  warm(loadRejection)
  return (text, charset, req) => {
    if (!opensContainer(text)) rejectToken(text)
    return parse(text, charset, req)
  }
}

function labelStrict (text) {
  if (text === '') return null
  return opensContainer(text) ? 'parse json' : 'strict violation'
}

function labelLenient (text) {
  return text === '' ? null : 'parse json'
}
