'use strict'

// Options `onProtoPoisoning` and `onConstructorPoisoning`, by secure-json-parse.

const secureJson = require('secure-json-parse')
const { createJsonParse } = require('../formats/json/parse')
const { createEngineParse } = require('../json-keys/json')

const BYTE_ORDER_MARK = '\uFEFF'

module.exports = function refusePoison (parser, { onProtoPoisoning, onConstructorPoisoning }) {
  const actions = { protoAction: onProtoPoisoning, constructorAction: onConstructorPoisoning }
  // It removes a byte order mark; the one that may be there is removed already.
  const parse = createEngineParse((text) => {
    return text.startsWith(BYTE_ORDER_MARK) ? JSON.parse(text) : secureJson.parse(text, undefined, actions)
  })
  return { ...parser, parse: createJsonParse(parse) }
}
