'use strict'

// Option `depth` of json: how deep a JSON text nests, found before it is parsed.

const errors = require('../../core/errors')
const isDeeperThan = require('./nesting')

/** Changes a parser that is being composed. */
module.exports = function extendParser (parser, { depth }) {
  const { outerLevels = 0, parse } = parser
  return {
    ...parser,
    parse (text) {
      if (isDeeperThan(text, depth + outerLevels)) throw errors.nestedTooDeep(depth)
      return parse(text)
    }
  }
}
