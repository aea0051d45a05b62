'use strict'

// A case: a stack of parsers, and a request that is sent to it.

const fc = require('fast-check')
const functions = require('./functions')
const { options } = require('./options')
const { request } = require('./request')
const { mostly, oneOf, record, upTo } = require('./draw')

const PARSERS = ['json', 'urlencoded', 'text', 'raw']

const before = mostly(undefined, functions.before, 8)
const gap = mostly(functions.gap[0], functions.gap, 2)
const layer = (parser) => record({ parser, options: options(parser), gap })
const anyLayer = fc.oneof(...PARSERS.map(layer))
const anyRequest = fc.oneof(...PARSERS.map(request))

/** Cases about one kind of body. */
function about (parser) {
  return record({
    before,
    stack: oneOf(
      [8, fc.tuple(layer(parser))],
      [2, upTo(4, oneOf([1, layer(parser)], [1, anyLayer]), 1)]
    ),
    request: oneOf([9, request(parser)], [1, anyRequest])
  })
}

const anyCase = oneOf([6, about('json')], [6, about('urlencoded')], [3, about('text')], [2, about('raw')])

module.exports = { anyCase }
