'use strict'

// Options of a parser: mostly few and valid, sometimes wrong.

const fc = require('fast-check')
const functions = require('./functions')
const { charset } = require('./charset')
const { oneOf, sparse } = require('./weigh')

/** A limit next to the length of the first request's body. */
const near = fc.record({ near: fc.constantFrom('content', 'coded'), off: fc.integer({ min: -2, max: 2 }) })
const limit = oneOf(
  [6, near],
  [4, fc.constantFrom(0, 1, 2, 10, 100, 1000, 16384, 100_000, 5e6, Infinity)],
  [2, fc.constantFrom('10', '1kb', '1.5kb', '1MB', ' 1kb', '1 kb', '10b', '1e3', '0', '-1kb', '0.5kb')],
  [1, fc.constantFrom(null, -1, 0.5, 2.7, -Infinity, 1e300)],
  [1, fc.constantFrom('', NaN, 'x', true, {}, [], 5n, 'Infinity', '1zb')] // a function is an option of this package
)

const type = oneOf(
  [
    4,
    fc.constantFrom('*/*', 'json', 'text', 'urlencoded', 'text/*', 'application/*', '+json', '*/json',
      'application/vnd.api+json', 'text/html', '.json', 'bin', 'multipart')
  ],
  [
    2,
    fc.array(
      fc.constantFrom('application/json', 'text/plain', '*/*', 'json', 'text', '+json', 'urlencoded', 'image/png',
        'bogus', 'application/x-www-form-urlencoded'),
      { maxLength: 3 }
    )
  ],
  [2, fc.constantFrom(...functions.type)],
  [
    1,
    fc.constantFrom('APPLICATION/JSON', 'application/json; charset=utf-8', '*', 'bogus', '', 'a/b', '/',
      'application/', 'application', 0, false, null, 5, true, {}, [5], [null], [''])
  ]
)

const verify = oneOf(
  [12, fc.constantFrom(...functions.verify)],
  [1, fc.constantFrom(null, false, 0, '', true, 'x', {})]
)
const crashing = fc.constantFrom(...functions.crashingVerify)

const common = {
  limit,
  type,
  verify,
  inflate: fc.constantFrom(false, true, 0, null, '')
}
const defaultCharset = oneOf([5, charset], [1, fc.constantFrom('', null, false, 0)])
const count = oneOf([6, fc.constantFrom(1, 2, 3, 10, 20, 100, 999, 1000, 1001, Infinity)],
  [2, fc.constantFrom('10', 10.1, 1.9, true, 4294967297, 2147483648, 'Infinity', 'Infinity')],
  [1, fc.constantFrom(0, -1, NaN, 'x', null, '', {}, [], 0.5)])
const depth = oneOf([6, fc.constantFrom(0, 1, 2, 3, 5, 31, 32, 33, 100, Infinity)],
  [2, fc.constantFrom('3', null, true, false, '', 1.5, [], [2])], [1, fc.constantFrom(-1, NaN, 'x', {})])

const OPTIONS = {
  json: sparse({
    ...common,
    strict: fc.constantFrom(false, false, false, true, 0, null),
    reviver: oneOf([6, fc.constantFrom(...functions.reviver)], [1, fc.constantFrom(['a'], 'x', 5, {}, null)]),
    defaultCharset
  }),
  raw: sparse(common),
  text: sparse({ ...common, defaultCharset }, 3),
  urlencoded: sparse({
    ...common,
    extended: fc.constantFrom(true, true, true, true, true, true, 1, 'yes', false, null),
    depth,
    parameterLimit: count,
    charsetSentinel: fc.constantFrom(true, true, true, 1, 'yes', false),
    interpretNumericEntities: fc.constantFrom(true, true, true, 1, false),
    defaultCharset: oneOf([6, fc.constant('iso-8859-1')],
      [1, fc.constantFrom('utf-8', 'UTF-8', 'latin1', 'utf8', '', null)])
  }, 1)
}

/** Options in which we are meant to differ; body-parser may end the process. */
const LISTED = {
  json: sparse({ ...common, verify: crashing, defaultCharset: fc.constantFrom(5, true, {}, ['utf-8'], 5n) }, 1),
  raw: sparse({ ...common, verify: crashing }, 1),
  text: sparse(
    { ...common, verify: crashing, defaultCharset: fc.constantFrom(5, true, {}, ['utf-8'], Symbol('utf-8')) },
    1
  ),
  urlencoded: sparse(
    {
      ...common,
      verify: crashing,
      parameterLimit: fc.constantFrom('Infinity', 5n, Symbol('5')),
      depth: fc.constantFrom(5n, Symbol('5')),
      extended: fc.constant(true)
    },
    1
  )
}

/** @param {string} parser */
function options (parser) {
  return oneOf(
    [200, OPTIONS[parser]],
    [400, OPTIONS[parser].map(commonest)],
    [10, fc.constantFrom(undefined, null, 5, 'x', true)],
    [1, LISTED[parser]]
  )
}

/** As in most apps: without what refuses the request before it is read. */
function commonest (options) {
  const { type, limit, ...rest } = options
  const small = typeof limit === 'number' && limit < 100
  return { ...rest, limit: small ? undefined : limit }
}

module.exports = { options }
