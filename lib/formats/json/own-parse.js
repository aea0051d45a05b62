'use strict'

/** Option `parse` of json: a function of the app instead of JSON.parse. Changes a parser that is being composed. */
module.exports = function extendParser (parser, { parse, reviver }) {
  return {
    ...parser,
    parse (text, charset, req, context) {
      return text === '' ? {} : parse(text, { charset, reviver, req, get signal () { return context.signal } })
    },
    isAsync: true
  }
}
