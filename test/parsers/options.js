'use strict'

const assert = require('node:assert/strict')
const oracle = require('body-parser')
const subject = require('fast-body-parser')

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
      for (const drainLimit of ['', 'abc', 'Infinity', NaN, true, {}, [], 10n, Symbol('s')]) {
        it(`refuses drainLimit ${typeof drainLimit} ${String(drainLimit)}`, () => {
          assert.equal(make(subject, name, { drainLimit }), `TypeError: option drainLimit "${String(drainLimit)}" is invalid`)
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
      it(`accepts parameterLimit ${typeof parameterLimit} ${parameterLimit}`, () => accepts('urlencoded', { parameterLimit }))
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
      refuses('urlencoded', { ...wrong, limit: 1, verify: null }, 'option defaultCharset must be either utf-8 or iso-8859-1')
      refuses('urlencoded', { parameterLimit: 0, extended: true, depth: -1 }, 'option parameterLimit must be a positive number')
      refuses('urlencoded', { extended: true, depth: -1 }, 'option depth must be a zero or a positive number')
    })
  })

  // body-parser crashes or throws at the first request instead
  it('refuse a defaultCharset that is not a string', () => {
    for (const name of ['json', 'text']) {
      for (const defaultCharset of [5, {}, true, Symbol('s')]) {
        assert.throws(() => subject[name]({ defaultCharset }), { name: 'TypeError', message: 'option defaultCharset must be a string' })
      }
    }
  })
})
