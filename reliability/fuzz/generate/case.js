'use strict'

// A case: a stack of parsers, and what one connection sends to it.

const fc = require('fast-check')
const functions = require('./functions')
const { options } = require('./options')
const { request } = require('./request')
const { int, mostly, oneOf, record, upTo } = require('./draw')

const PARSERS = ['json', 'urlencoded', 'text', 'raw']

const before = mostly(undefined, functions.before, 8)
const gap = mostly(functions.gap[0], functions.gap, 2)
const end = oneOf(
  [20, { how: 'keep' }],
  [
    2,
    record({
      how: ['close', 'halfClose', 'reset'], // of tools/talk.js
      at: int(0, 1000),
      pause: ['delivered', 'at once', 'a turn']
    })
  ]
)

const layer = (parser) => record({ parser, options: options(parser), gap })
const anyLayer = fc.oneof(...PARSERS.map(layer))
const anyRequest = fc.oneof(...PARSERS.map(request))

/**
 * @typedef {object} Case
 * @property {((req: object, go: Function) => void) | undefined} before
 * @property {{ parser: string, options: unknown, gap: Function }[]} stack
 * @property {object[]} requests on one connection
 * @property {{ how: string, at?: number, pause?: string }} end of the connection
 */

/** Cases about one kind of body. */
function about (parser) {
  return record({
    before,
    stack: oneOf(
      [8, fc.tuple(layer(parser))],
      [2, upTo(4, oneOf([1, layer(parser)], [1, anyLayer]), 1)]
    ),
    requests: oneOf(
      [9, fc.tuple(request(parser))],
      [2, upTo(4, oneOf([2, request(parser)], [1, anyRequest]), 1)]
    ),
    end
  })
}

/** @type {fc.Arbitrary<Case>} */
const anyCase = oneOf([6, about('json')], [6, about('urlencoded')], [3, about('text')], [2, about('raw')])

module.exports = { anyCase }
