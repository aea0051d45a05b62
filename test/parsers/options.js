'use strict'

const assert = require('node:assert/strict')
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

describe('options', () => {
  for (const name of NAMES) {
    describe(`of ${name}()`, () => {
      for (const limit of ['', 'abc', 'kb', 'Infinity', '.', 'NaN', NaN, true, false, {}, [], 10n]) {
        it(`refuses limit ${typeof limit} ${String(limit)}`, () => {
          refuses(name, { limit }, `option limit "${String(limit)}" is invalid`)
        })
      }

      it('refuses a symbol for a limit', () => {
        refuses(name, { limit: Symbol('s') }, 'option limit "Symbol(s)" is invalid')
      })

      for (const limit of [undefined, null, 0, -1, 1.5, Infinity, -Infinity, '1kb', '10', '-1kb', '1xb', '1 kb x']) {
        it(`accepts limit ${typeof limit} ${limit}`, () => accepts(name, { limit }))
      }

      for (const verify of [true, 1, 'yes', {}, [], 1n]) {
        it(`refuses verify ${typeof verify} ${String(verify)}`, () => {
          refuses(name, { verify }, 'option verify must be function')
        })
      }

      for (const verify of [undefined, null, false, 0, '', () => {}]) {
        it(`accepts verify ${typeof verify} ${String(verify)}`, () => accepts(name, { verify }))
      }

      // body-parser has no such option
      for (const drainLimit of ['', 'abc', 'Infinity', NaN, true, {}, [], 10n, Symbol('s'), -1, -Infinity, '-1kb']) {
        it(`refuses drainLimit ${typeof drainLimit} ${String(drainLimit)}`, () => {
          assert.equal(make(subject, name, { drainLimit }),
            `TypeError: option drainLimit "${String(drainLimit)}" is invalid`)
        })
      }

      for (const drainLimit of [undefined, null, 0, 1.5, Infinity, '1kb', '10']) {
        it(`accepts drainLimit ${typeof drainLimit} ${drainLimit}`, () => accepts(name, { drainLimit }))
      }

      it('checks limit before verify', () => {
        refuses(name, { limit: 'x', verify: 1 }, 'option limit "x" is invalid')
      })

      it('reads options that are inherited', () => {
        refuses(name, Object.create({ verify: 1 }), 'option verify must be function')
      })

      for (const options of [null, undefined, 0, 'options', true, Symbol('s'), 1n, () => {}, []]) {
        it(`accepts ${typeof options} ${String(options)} for options`, () => accepts(name, options))
      }
    })
  }

  describe('of urlencoded() only', () => {
    for (const defaultCharset of ['UTF-8', 'utf8', 'latin1', 'x', 5, {}]) {
      it(`refuses defaultCharset ${String(defaultCharset)}`, () => {
        refuses('urlencoded', { defaultCharset }, 'option defaultCharset must be either utf-8 or iso-8859-1')
      })
    }

    for (const defaultCharset of ['utf-8', 'iso-8859-1', '', null, undefined, 0]) {
      it(`accepts defaultCharset ${String(defaultCharset)}`, () => accepts('urlencoded', { defaultCharset }))
    }

    for (const parameterLimit of [0, -1, 0.5, NaN, null, '', '0', 'x', {}, false, [], -Infinity]) {
      it(`refuses parameterLimit ${typeof parameterLimit} ${String(parameterLimit)}`, () => {
        refuses('urlencoded', { parameterLimit }, 'option parameterLimit must be a positive number')
      })
    }

    for (const parameterLimit of [1, 1.5, '10', true, Infinity, 'Infinity', 2 ** 31, [5], '0x10']) {
      it(`accepts parameterLimit ${typeof parameterLimit} ${parameterLimit}`, () => accepts('urlencoded',
        { parameterLimit }))
    }

    for (const depth of [-1, NaN, 'x', {}, -Infinity, '-1']) {
      it(`refuses depth ${typeof depth} ${String(depth)}`, () => {
        refuses('urlencoded', { extended: true, depth }, 'option depth must be a zero or a positive number')
        accepts('urlencoded', { depth })
      })
    }

    for (const depth of [0, 1, 1.5, Infinity, '3', null, true, false, '', []]) {
      it(`accepts depth ${typeof depth} ${depth}`, () => accepts('urlencoded', { extended: true, depth }))
    }

    it('names the option in the error for a value of any type', () => {
      for (const value of [1n, Symbol('s')]) {
        const name = /^option (parameterLimit|depth) must be/
        assert.throws(() => subject.urlencoded({ parameterLimit: value }), { name: 'TypeError', message: name })
        assert.throws(() => subject.urlencoded({ extended: true, depth: value }), { name: 'TypeError', message: name })
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
    const json = { parser: 'json', headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' }
    const form = {
      parser: 'urlencoded',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a[b]=1'
    }
    const skipped = { body: undefined }
    const parsed = { body: { a: 1 } }

    table([
      { it: 'limit: -1 refuses every body',
        ...json,
        options: {
          limit: -1
        },
        expect: { error: { status: 413, limit: -1 } } },
      { it: 'limit: -1 refuses a body of no bytes',
        ...json,
        body: '',
        options: {
          limit: -1
        },
        expect: { error: { status: 413 } } },
      ...[5, {}, 'APPLICATION/JSON', 'application/json; charset=utf-8', 'no-such-name'].map((type) => (
        { it: `type ${JSON.stringify(type)} matches nothing`, ...json, options: { type }, expect: skipped }
      )),
      ...['', 0, false, null].map((type) => (
        { it: `type ${JSON.stringify(type)} is the default`, ...json, options: { type }, expect: parsed }
      )),
      { it: 'type [] matches every media type',
        ...json,
        headers: {
          'Content-Type': 'image/png'
        },
        options: { type: [] },
        expect: parsed },
      ...['x', 5, {}].map((reviver) => (
        { it: `reviver ${JSON.stringify(reviver)} is none`, ...json, options: { reviver }, expect: parsed }
      )),
      ...['false', 0, null, ''].map((strict) => (
        { it: `strict ${JSON.stringify(strict)} is true`,
          ...json,
          body: '1',
          options: {
            strict
          },
          expect: { error: { status: 400, type: 'entity.parse.failed' } } }
      )),
      ...['false', 0, null, ''].map((inflate) => (
        { it: `inflate ${JSON.stringify(inflate)} is true`,
          ...json,
          headers: {
            ...json.headers,
            'Content-Encoding': 'gzip'
          },
          body: zlib.gzipSync('{"a":1}'),
          options: { inflate },
          expect: parsed }
      )),
      ...['latin1', 'UTF-8', 'utf8', 'x'].map((defaultCharset) => (
        { it: `defaultCharset ${defaultCharset} of json refuses bodies that name none`,
          ...json,
          options: {
            defaultCharset
          },
          expect: { error: { status: 415, charset: defaultCharset } } }
      )),
      ...[5, 'text', true, null].map((options) => (
        { it: `options ${JSON.stringify(options)} are all defaults`, ...json, options, expect: parsed }
      )),
      { it: "extended 'false' is true", ...form, options: { extended: 'false' }, expect: { body: { a: { b: '1' } } } },
      { it: "charsetSentinel 'true' is false",
        ...form,
        body: 'utf8=%E2%9C%93&a=1',
        options: {
          charsetSentinel: 'true'
        },
        expect: { body: { utf8: '\u2713', a: '1' } } },
      { it: "interpretNumericEntities 'true' is false",
        ...form,
        headers: {
          'Content-Type': `${form.headers['Content-Type']}; charset=iso-8859-1`
        },
        body: 'a=%26%239786;',
        options: { interpretNumericEntities: 'true' },
        expect: { body: { a: '&#9786;' } } },
      { it: 'parameterLimit 1.9 is 1',
        ...form,
        body: 'a=1&b=2',
        options: {
          parameterLimit: 1.9
        },
        expect: { error: { status: 413 } } },
      { it: "parameterLimit '2' is 2",
        ...form,
        body: 'a=1&b=2',
        options: {
          parameterLimit: '2'
        },
        expect: { body: { a: '1', b: '2' } } },
      { it: "depth '1' of urlencoded is 5",
        ...form,
        body: 'a[b][c][d][e][f]=1',
        options: {
          extended: true,
          depth: '1'
        },
        expect: { body: { a: { b: { c: { d: { e: { f: '1' } } } } } } } },
      { it: "depth '9' of urlencoded is 5",
        ...form,
        body: 'a[b][c][d][e][f][g]=1',
        options: {
          extended: true,
          depth: '9'
        },
        expect: { error: { status: 400 } } }
    ])
  })

  // body-parser crashes or throws at the first request instead
  it('refuse a defaultCharset that is not a string', () => {
    for (const name of ['json', 'text']) {
      for (const defaultCharset of [5, {}, true, Symbol('s')]) {
        assert.throws(() => subject[name]({ defaultCharset }),
          { name: 'TypeError', message: 'option defaultCharset must be a string' })
      }
    }
  })
})
