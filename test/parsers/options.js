'use strict'

const assert = require('node:assert/strict')
const { inspect } = require('node:util')
const zlib = require('node:zlib')
const oracle = require('body-parser')
const subject = require('fast-body-parser')
const { table } = require('../support/table')

const NAMES = ['json', 'raw', 'text', 'urlencoded']

/** What making a parser leads to: an error or none. */
function make (bodyParser, name, options) {
  try {
    bodyParser[name](options)
    return 'made'
  } catch (error) {
    return `${error.constructor.name}: ${error.message}`
  }
}

function refuses (name, options, message) {
  assert.equal(make(subject, name, options), `TypeError: ${message}`)
  assert.equal(make(oracle, name, options), `TypeError: ${message}`)
}

function accepts (name, options) {
  assert.equal(make(subject, name, options), 'made')
  assert.equal(make(oracle, name, options), 'made')
}

const show = (value) => `${typeof value} ${String(value)}`
const INVALID_LIMITS = ['', 'abc', 'kb', 'Infinity', '.', 'NaN', NaN, true, false, {}, [], 10n, Symbol('s')]

/** Option -> the values that it refuses, with the message, and those that it takes. */
const CHECKS = {
  limit: [
    INVALID_LIMITS, (limit) => `option limit "${String(limit)}" is invalid`,
    [undefined, null, 0, -1, 1.5, Infinity, -Infinity, '1kb', '10', '-1kb', '1xb', '1 kb x']
  ],
  verify: [
    [true, 1, 'yes', {}, [], 1n], () => 'option verify must be function', [undefined, null, false, 0, '', () => {}]
  ]
}
const CHECKS_OF_FORMS = {
  defaultCharset: [
    ['UTF-8', 'utf8', 'latin1', 'x', 5, {}], () => 'option defaultCharset must be either utf-8 or iso-8859-1',
    ['utf-8', 'iso-8859-1', '', null, undefined, 0]
  ],
  parameterLimit: [
    [0, -1, 0.5, NaN, null, '', '0', 'x', {}, false, [], -Infinity],
    () => 'option parameterLimit must be a positive number',
    [1, 1.5, '10', true, Infinity, 'Infinity', 2 ** 31, [5], '0x10']
  ],
  depth: [
    [-1, NaN, 'x', {}, -Infinity, '-1'], () => 'option depth must be a zero or a positive number',
    [0, 1, 1.5, Infinity, '3', null, true, false, '', []]
  ]
}

function check (parser, rows) {
  for (const [option, [wrong, messageOf, right]] of Object.entries(rows)) {
    const given = (value) => ({ ...option === 'depth' && { extended: true }, [option]: value })
    for (const value of wrong) {
      it(`refuses ${option} ${show(value)}`, () => refuses(parser, given(value), messageOf(value)))
    }
    for (const value of right) it(`accepts ${option} ${show(value)}`, () => accepts(parser, given(value)))
  }
}

describe('options', () => {
  for (const name of NAMES) {
    describe(`of ${name}()`, () => {
      check(name, CHECKS)

      it('reads options that are inherited', () => {
        refuses(name, Object.create({ verify: 1 }), 'option verify must be function')
      })

      it('accepts anything for options', () => {
        for (const options of [null, undefined, 0, 'options', true, Symbol('s'), 1n, () => {}, []]) {
          accepts(name, options)
        }
      })
    })
  }

  it('check drainLimit, which body-parser does not have', () => {
    for (const drainLimit of ['', 'Infinity', NaN, true, {}, 10n, Symbol('s'), -1, '-1kb']) {
      assert.equal(make(subject, 'json', { drainLimit }),
        `TypeError: option drainLimit "${String(drainLimit)}" is invalid`)
    }
    for (const drainLimit of [undefined, null, 0, 1.5, Infinity, '1kb', '10']) accepts('json', { drainLimit })
  })

  describe('of urlencoded() only', () => {
    check('urlencoded', CHECKS_OF_FORMS)

    it('names the option in the error for a BigInt or a symbol', () => {
      for (const value of [1n, Symbol('s')]) {
        const given = { extended: true, depth: value }
        assert.match(make(subject, 'urlencoded', given), /^TypeError: option depth must be/)
        assert.match(make(subject, 'urlencoded', { parameterLimit: value }), /^TypeError: option parameterLimit must/)
      }
    })

    it('checks in the order of body-parser', () => {
      const wrong = { limit: 'x', verify: 1, defaultCharset: 'x', parameterLimit: 0, extended: true, depth: -1 }
      refuses('urlencoded', wrong, 'option limit "x" is invalid')
      refuses('urlencoded', { ...wrong, limit: 1 }, 'option verify must be function')
      refuses('urlencoded', { ...wrong, limit: 1, verify: null },
        'option defaultCharset must be either utf-8 or iso-8859-1')
      refuses('urlencoded', { parameterLimit: 0, extended: true, depth: -1 },
        'option parameterLimit must be a positive number')
      refuses('urlencoded', { extended: true, depth: -1 }, 'option depth must be a zero or a positive number')
    })
  })

  describe('that body-parser takes although they make little sense', () => {
    const headers = { 'Content-Type': 'application/json' }
    const gzip = { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: zlib.gzipSync('{"a":1}') }
    const parsed = { body: { a: 1 } }
    const refused = { error: { status: 400, type: 'entity.parse.failed' } }
    const ofJson = (options, expect, more) =>
      ({ it: inspect(options), parser: 'json', options, headers, body: '{"a":1}', expect, ...more })

    table([
      ...['false', 0, null, ''].flatMap((value) => [
        ofJson({ strict: value }, refused, { body: '1' }),
        ofJson({ inflate: value }, parsed, gzip)
      ]),
      ...['latin1', 'UTF-8', 'utf8', 'x'].map((defaultCharset) =>
        ofJson({ defaultCharset }, { error: { status: 415, charset: defaultCharset } })),
      ...[5, 'text', true, null].map((options) => ofJson(options, parsed))
    ])
  })
})
