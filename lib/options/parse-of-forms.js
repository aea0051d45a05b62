'use strict'

// Option `parse` of urlencoded: a function of the app instead of qs.

const { limitParameters } = require('../formats/urlencoded/describe')

module.exports = function parseByApp (parser, { parameterLimit, parse }) {
  const parseForm = (text, charset, count, req, context) => {
    return parse(text, { charset, req, get signal () { return context.signal } })
  }
  return { ...parser, parse: limitParameters(parameterLimit, parseForm), isAsync: true }
}
