'use strict'

const errors = require('../errors')
const { countParameters, dropPrototypeNames, hasBrackets, parseFlat, unescapeLatin1, unescapeUtf8 } = require('../form')
const { later, warm } = require('../later')
const { readCommon, readDepth, readFormCharset, readFunction, readParameterLimit, readSwitch, refuseBeside } = require('../options')
const createReader = require('../read')

/**
 * Makes a middleware that parses forms into `req.body`.
 *
 * @param {object} [options]
 * @param {boolean} [options.extended=false] let brackets nest
 * @param {number} [options.depth=32] deepest nesting, when extended
 * @param {number} [options.parameterLimit=1000] most parameters
 * @param {'utf-8' | 'iso-8859-1'} [options.defaultCharset='utf-8']
 * @param {boolean} [options.charsetSentinel=false] let a parameter `utf8`
 *   tell the charset
 * @param {boolean} [options.interpretNumericEntities=false] undo entities such
 *   as `&#9786;` in ISO-8859-1
 * @param {boolean} [options.allowPrototypes=true] let fields have the names of
 *   what objects inherit, such as `toString`; else they are left out
 * @param {Function} [options.parse] (text, { charset, req }), in place of qs;
 *   may return a promise
 * @param {number | string} [options.limit='100kb'] most bytes, decoded
 * @param {number | string} [options.drainLimit='64mb'] most bytes to read off
 *   after an error in reading
 * @param {boolean} [options.inflate=true] accept a content coding
 * @param {boolean} [options.codingLists=false] accept several, and x-gzip
 * @param {string | string[] | Function} [options.type='application/x-www-form-urlencoded']
 * @param {Function} [options.verify] (req, res, bytes, charset); throws, or
 *   returns a promise that is rejected, to answer 403
 * @param {boolean} [options.rawBody=false] put the bytes on `req.rawBody`
 * @param {boolean} [options.buffered=false] parse what was read before
 * @returns {(req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function urlencoded (options) {
  const settings = readCommon(options, 'application/x-www-form-urlencoded')
  const charsets = { allows: isFormCharset, fallback: readFormCharset(options) }
  const extended = Boolean(options?.extended)
  const parameterLimit = readParameterLimit(options)
  const depth = extended ? readDepth(options) : 0
  const charsetSentinel = options?.charsetSentinel === true
  const interpretNumericEntities = options?.interpretNumericEntities === true
  const allowPrototypes = readSwitch(options, 'allowPrototypes', true)
  const own = readFunction(options, 'parse')
  const parse = own === undefined
    ? formParser({ allowPrototypes, charsetSentinel, depth, extended, interpretNumericEntities, parameterLimit })
    : ownParser(own, options)

  const read = createReader({
    name: 'urlencoded',
    settings,
    charsets,
    parse (text, charset, req) {
      if (text === '') return {}
      const count = countParameters(text, parameterLimit)
      if (count > parameterLimit) throw errors.tooManyParameters()
      return parse(text, charset, count, req)
    },
    mayWait: own !== undefined,
    label (text) {
      if (text === '') return null
      if (countParameters(text, parameterLimit) > parameterLimit) return 'too many parameters'
      return extended ? 'parse extended urlencoding' : 'parse urlencoding'
    }
  })

  return function urlencodedParser (req, res, next) {
    read(req, res, next)
  }
}

function isFormCharset (charset) {
  return charset === 'utf-8' || charset === 'iso-8859-1'
}

/** Forms in which no name means more than it says need no qs. */
function formParser (settings) {
  const hasMeaning = specialsOf(settings.charsetSentinel, settings.interpretNumericEntities)
  const parseNested = nestedParser(settings)
  if (settings.extended || settings.charsetSentinel || settings.interpretNumericEntities) warm(loadQs)
  const parse = (text, charset, count) => hasMeaning(text)
    ? parseNested(text, charset, count)
    : parseFlat(text, charset === 'utf-8' ? unescapeUtf8 : unescapeLatin1)
  return settings.allowPrototypes ? parse : (...form) => dropPrototypeNames(parse(...form))
}

const QS_OPTIONS = ['allowPrototypes', 'charsetSentinel', 'depth', 'interpretNumericEntities'] // a parser of the app's own would not know them

function ownParser (parse, options) {
  refuseBeside(options, 'parse', QS_OPTIONS)
  return (text, charset, count, req) => parse(text, { charset, req })
}

/** What makes a form one for qs: brackets, and what these options look for. */
function specialsOf (sentinel, entities) {
  return (text) => hasBrackets(text) || (sentinel && text.includes('utf8=')) ||
    (entities && text.includes('%26')) // an ampersand in a value: &#9786;
}

const loadQs = later(() => require('qs')) // takes longer than to load all the rest of this package

function nestedParser ({ allowPrototypes, charsetSentinel, depth, extended, interpretNumericEntities, parameterLimit }) {
  return (text, charset, count) => {
    const qs = loadQs()
    try {
      return qs.parse(text, {
        allowPrototypes,
        arrayLimit: extended ? Math.max(100, count) : count,
        charset,
        charsetSentinel,
        depth,
        interpretNumericEntities,
        parameterLimit,
        strictDepth: true
      })
    } catch (error) {
      throw error instanceof RangeError ? errors.tooDeep() : error
    }
  }
}
