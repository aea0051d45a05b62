'use strict'

// Option `depth` of JSON: how deep a text nests, found before it is parsed.

const errors = require('../core/errors')
const isDeeperThan = require('../formats/json/nesting')

module.exports = function limitDepth (parser, { depth }) {
  const { outerLevels = 0, parse } = parser
  return {
    ...parser,
    parse (text) {
      if (isDeeperThan(text, depth + outerLevels)) throw errors.nestedTooDeep(depth)
      return parse(text)
    }
  }
}
