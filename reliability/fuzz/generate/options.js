'use strict'

// Options of a parser: mostly few and valid, sometimes wrong, but for those in which we are meant to differ.

const functions = require('./functions')
const { charset } = require('./content-type')
const { int, oneOf, record, sparse, upTo } = require('./draw')

/** A limit next to the length of the first request's body. */
const near = record({ near: ['content', 'coded'], off: int(-2, 2) })
const limit = oneOf(
  [6, near],
  [4, [0, 1, 2, 10, 100, 1000, 16384, 100_000, 5e6, Infinity]],
  [2, ['10', '1kb', '1.5kb', '1MB', ' 1kb', '1 kb', '10b', '1e3', '0', '-1kb', '0.5kb']],
  [1, [null, -1, 0.5, 2.7, -Infinity, 1e300]],
  [1, ['', NaN, 'x', true, {}, [], 5n, 'Infinity', '1zb']] // a function is an option of this package
)

const TYPES = [
  '*/*', 'json', 'text', 'urlencoded', 'text/*', 'application/*', '+json', '*/json', 'application/vnd.api+json',
  'text/html', '.json', 'bin', 'multipart', 'application/json', 'text/plain', 'image/png', 'bogus'
]
const ODD_TYPES = ['APPLICATION/JSON', 'application/json; charset=utf-8', '*', '', '/', 'application/', 0, null, [5]]

const common = {
  limit,
  type: oneOf([4, TYPES], [2, upTo(3, TYPES)], [2, functions.type], [1, ODD_TYPES]),
  verify: oneOf([12, functions.verify], [1, [null, false, 0, '', true, 'x', {}]]),
  inflate: [false, true, 0, null, '']
}
const defaultCharset = oneOf([5, charset], [1, ['', null, false, 0]])

const OPTIONS = {
  json: sparse({
    ...common,
    strict: [false, false, false, true, 0, null],
    reviver: oneOf([6, functions.reviver], [1, [['a'], 'x', 5, {}, null]]),
    defaultCharset
  }),
  raw: sparse(common),
  text: sparse({ ...common, defaultCharset }, 3),
  urlencoded: sparse({
    ...common,
    extended: [true, true, true, true, true, true, 1, 'yes', false, null],
    depth: oneOf([6, [0, 1, 2, 3, 5, 31, 32, 33, 100, Infinity]],
      [2, ['3', null, true, false, '', 1.5, [], [2]]], [1, [-1, NaN, 'x', {}]]),
    parameterLimit: oneOf([6, [1, 2, 3, 10, 20, 100, 999, 1000, 1001, Infinity]],
      [2, ['10', 10.1, 1.9, true, 4294967297, 2147483648]],
      [1, [0, -1, NaN, 'x', null, '', {}, [], 0.5]]),
    charsetSentinel: [true, true, true, 1, 'yes', false],
    interpretNumericEntities: [true, true, true, 1, false],
    defaultCharset: oneOf([6, 'iso-8859-1'], [1, ['utf-8', 'UTF-8', 'latin1', 'utf8', '', null]])
  }, 1)
}

/** @param {string} parser */
function options (parser) {
  return oneOf(
    [200, OPTIONS[parser]],
    [400, OPTIONS[parser].map(commonest)],
    [10, [undefined, null, 5, 'x', true]]
  )
}

/** As in most apps: without what refuses the request before it is read. */
function commonest (options) {
  const { type, limit, ...rest } = options
  const small = typeof limit === 'number' && limit < 100
  return { ...rest, limit: small ? undefined : limit }
}

module.exports = { options }
