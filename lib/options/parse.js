'use strict'

// What some options make of `parse` in a few lines. Each changes a parser that is being composed.

const errors = require('../core/errors')
const { isDeeperThan } = require('../formats/json/parse')
const { limitParameters } = require('../formats/urlencoded/describe')

/** Option `depth` of JSON: how deep a text nests, found before it is parsed. */
function limitDepth (parser, { depth }) {
  const { outerLevels = 0, parse } = parser
  return {
    ...parser,
    parse (text) {
      if (isDeeperThan(text, depth + outerLevels)) throw errors.nestedTooDeep(depth)
      return parse(text)
    }
  }
}

/** Option `parse` of json: a function of the app instead of JSON.parse. */
function parseJsonByApp (parser, { parse, reviver }) {
  return {
    ...parser,
    parse (text, charset, req, context) {
      return text === '' ? {} : parse(text, { charset, reviver, req, get signal () { return context.signal } })
    },
    isAsync: true
  }
}

/** Option `parse` of urlencoded: a function of the app instead of qs. */
function parseFormByApp (parser, { parameterLimit, parse }) {
  const parseForm = (text, charset, count, req, context) => {
    return parse(text, { charset, req, get signal () { return context.signal } })
  }
  return { ...parser, parse: limitParameters(parameterLimit, parseForm), isAsync: true }
}

module.exports = { limitDepth, parseFormByApp, parseJsonByApp }
