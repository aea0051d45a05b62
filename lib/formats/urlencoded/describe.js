'use strict'

const errors = require('../../core/errors')

/** What a parser of forms is; see ../../compose.js. */
function describeForm (settings) {
  const { createFormParse } = require('./flat') // here, as other parsers load this file as well
  const { defaultCharset, extended, parameterLimit } = settings
  return {
    charsets: { allows: isFormCharset, fallback: defaultCharset },
    parse: limitParameters(parameterLimit, createFormParse(settings)),
    traceLine (text) {
      if (text === '') return null
      if (countParameters(text, parameterLimit) > parameterLimit) return 'too many parameters'
      return extended ? 'parse extended urlencoding' : 'parse urlencoding'
    }
  }
}

const isFormCharset = (charset) => charset === 'utf-8' || charset === 'iso-8859-1'

/** Gives `parse` the number of parameters as well. */
function limitParameters (limit, parse) {
  return (text, charset, req, context) => {
    if (text === '') return {}
    const count = countParameters(text, limit)
    if (count > limit) throw errors.tooManyParameters()
    return parse(text, charset, count, req, context)
  }
}

/** The number of ampersands plus one, as body-parser counts; stops above `limit`. */
function countParameters (text, limit) {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1 && count <= limit; at = text.indexOf('&', at + 1)) count++
  return count
}

module.exports = { describeForm, limitParameters }
