'use strict'

const errors = require('../core/errors')
const { preload } = require('../core/lazy')
const { createParser, wrap } = require('../core/middleware')
const { isGiven, readCommon } = require('../core/options')
const { countParameters, hasBrackets, parseFlat, unescapeLatin1, unescapeUtf8 } = require('../form/flat')
const { createNestedParse, loadQs } = require('../form/nested')
const read = require('../read')

/**
 * Makes a middleware that parses forms into `req.body`.
 *
 * @param {import('../..').OptionsUrlencoded} [options] see index.d.ts
 * @returns {(req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function urlencoded (options) {
  const settings = readCommon(options, 'application/x-www-form-urlencoded')
  const charsets = { allows: isFormCharset, fallback: readDefaultCharset(options) }
  const extended = Boolean(options?.extended)
  const parameterLimit = readParameterLimit(options)
  const form = {
    extended,
    parameterLimit,
    depth: extended ? readDepth(options) : 0,
    charsetSentinel: options?.charsetSentinel === true,
    interpretNumericEntities: options?.interpretNumericEntities === true,
    allowPrototypes: true
  }
  const createParse = (more) => createFormParse({ ...form, ...more })
  const isExtended = isGiven(options, 'parse') || isGiven(options, 'allowPrototypes')
  const { parse, isAsync } = isExtended ? require('../extras/form-parse')(options, createParse) : { parse: createParse(), isAsync: false }

  const parser = createParser({
    name: 'urlencoded',
    charsets,
    parse (text, charset, req) {
      if (text === '') return {}
      const count = countParameters(text, parameterLimit)
      if (count > parameterLimit) throw errors.tooManyParameters()
      return parse(text, charset, count, req)
    },
    isAsync,
    describe (text) {
      if (text === '') return null
      if (countParameters(text, parameterLimit) > parameterLimit) return 'too many parameters'
      return extended ? 'parse extended urlencoding' : 'parse urlencoding'
    }
  }, settings)
  return wrap(function urlencodedParser (req, res, next) {
    read(req, res, next, parser)
  }, parser, settings)
}

/** Flat forms do not need qs. */
function createFormParse (form) {
  const { charsetSentinel, extended, interpretNumericEntities } = form
  if (extended || charsetSentinel || interpretNumericEntities) preload(loadQs)
  const parseNested = createNestedParse(form)
  const isFlat = (text) => !hasBrackets(text) &&
    !(charsetSentinel && text.includes('utf8=')) &&
    !(interpretNumericEntities && text.includes('%26')) // an ampersand in a value: &#9786;
  return (text, charset, count) => isFlat(text)
    ? parseFlat(text, charset === 'utf-8' ? unescapeUtf8 : unescapeLatin1)
    : parseNested(text, charset, count)
}

const isFormCharset = (charset) => charset === 'utf-8' || charset === 'iso-8859-1'

/** The charset of a form that names none. */
function readDefaultCharset (options) {
  const charset = options?.defaultCharset || 'utf-8'
  if (!isFormCharset(charset)) throw new TypeError('option defaultCharset must be either utf-8 or iso-8859-1')
  return charset
}

/** Finite values are truncated to 32 bits, as in body-parser. */
function readParameterLimit (options) {
  const value = options?.parameterLimit
  if (value === undefined) return 1000
  const number = toNumber(value)
  if (Number.isNaN(number) || number < 1) throw new TypeError('option parameterLimit must be a positive number')
  return number === Infinity ? Infinity : number | 0
}

function readDepth (options) {
  const value = options?.depth
  if (value === undefined) return 32
  const number = toNumber(value)
  if (Number.isNaN(number) || number < 0) throw new TypeError('option depth must be a zero or a positive number')
  if (value === false) return 0
  return typeof value === 'number' ? value : 5 // what qs makes of other types
}

/** NaN, not an exception, for what cannot be converted. */
const toNumber = (value) => typeof value === 'bigint' || typeof value === 'symbol' ? NaN : Number(value)
