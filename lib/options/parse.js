'use strict'

// Option `parse` of json: a function of the app instead of JSON.parse.

module.exports = function parseByApp (parser, { parse, reviver }) {
  return {
    ...parser,
    parse (text, charset, req, context) {
      return text === '' ? {} : parse(text, { charset, reviver, req, get signal () { return context.signal } })
    },
    isAsync: true
  }
}
