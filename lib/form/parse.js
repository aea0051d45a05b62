'use strict'

const errors = require('../core/errors')
const { isGiven } = require('../core/options')

const EXTENSIONS = ['parse', 'allowPrototypes', 'qs']

/**
 * The descriptor of a parser with these options of `urlencoded`; see
 * ../core/middleware.js.
 *
 * @param {object} [options]
 * @param {(form: object) => (text: string, charset: string, count: number) => object} createParse
 */
function describeForm (options, createParse) {
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
  const isExtended = EXTENSIONS.some((name) => isGiven(options, name))
  const { parse, isAsync } = isExtended ? require('../extras/form-parse')(options, form, createParse) : { parse: createParse(form) }

  return {
    charsets,
    parse (text, charset, req, source) {
      if (text === '') return {}
      const count = countParameters(text, parameterLimit)
      if (count > parameterLimit) throw errors.tooManyParameters()
      return parse(text, charset, count, req, source)
    },
    isAsync,
    options: form,
    describe (text) {
      if (text === '') return null
      if (countParameters(text, parameterLimit) > parameterLimit) return 'too many parameters'
      return extended ? 'parse extended urlencoding' : 'parse urlencoding'
    }
  }
}

/** The number of ampersands plus one, as body-parser counts; stops above `limit`. */
function countParameters (text, limit) {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1 && count <= limit; at = text.indexOf('&', at + 1)) count++
  return count
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
  const value = options.depth
  if (value === undefined) return 32
  const number = toNumber(value)
  if (Number.isNaN(number) || number < 0) throw new TypeError('option depth must be a zero or a positive number')
  if (value === false) return 0
  return typeof value === 'number' ? value : 5 // what qs makes of other types
}

/** NaN, not an exception, for what cannot be converted. */
const toNumber = (value) => typeof value === 'bigint' || typeof value === 'symbol' ? NaN : Number(value)

module.exports = { countParameters, describeForm }
