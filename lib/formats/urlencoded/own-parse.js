'use strict'

const { limitParameters } = require('./describe')

/** Option `parse` of urlencoded: a function of the app instead of qs. Changes a parser that is being composed. */
module.exports = function extendParser (parser, { parameterLimit, parse }) {
  const parseForm = (text, charset, count, req, context) => {
    return parse(text, { charset, req, get signal () { return context.signal } })
  }
  return { ...parser, parse: limitParameters(parameterLimit, parseForm), isAsync: true }
}
