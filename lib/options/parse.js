'use strict'

// What some options make of `parse` in a few lines. Each changes a parser that is being composed.

const errors = require('../core/errors')
const { createJsonParse, isDeeperThan } = require('../formats/json/parse')
const { limitParameters } = require('../formats/urlencoded/describe')
const { createEngineParse } = require('../json-keys/json')

const BYTE_ORDER_MARK = '\uFEFF'

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

/** Options `onProtoPoisoning` and `onConstructorPoisoning`, by secure-json-parse. */
function refusePoison (parser, { onProtoPoisoning, onConstructorPoisoning }) {
  const secureJson = require('secure-json-parse') // here, as other options load this file as well
  const actions = { protoAction: onProtoPoisoning, constructorAction: onConstructorPoisoning }
  // It removes a byte order mark; the one that may be there is removed already.
  const parse = createEngineParse((text) => {
    return text.startsWith(BYTE_ORDER_MARK) ? JSON.parse(text) : secureJson.parse(text, undefined, actions)
  })
  return { ...parser, parse: createJsonParse(parse) }
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

module.exports = { limitDepth, parseFormByApp, parseJsonByApp, refusePoison }
