'use strict'

// What tests of forms share: random forms, and qs as body-parser calls it.

const assert = require('node:assert/strict')
const fc = require('fast-check')
const qs = require('qs')

const CASES = { numRuns: Number(process.env.FUZZ_RUNS) || 750 }

/** Tokens that have a meaning somewhere in a form, whole and in pieces. */
const token = fc.constantFrom('a', 'b', 'ab', '0', '1', '01', '10', '=', '==', '&', '&&', '+', '%', '%2', '%20', '%2B',
  '%3D', '%26', '%25', '%5', '%zz', '%C3%A9', '%E9', '%E2%9C%93', '%F0%9F%98%80', '%00', 'é', '😀', '\ud83d', '\udc00',
  '__proto__', 'constructor', 'hasOwnProperty', 'toString', 'length', '.', ',', ';', '?', '#', ' ', 'utf8=', '%26%23',
  '&#65;', '%5f')
const bracket = fc.constantFrom('[', ']', '[]', '[0]', '[1]', '[99]', '[a]', '%5B', '%5D', '%5b%5d', '[__proto__]',
  ']=')
const flatForm = fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(''))
const anyForm = fc.array(fc.oneof({ weight: 5, arbitrary: token }, { weight: 1, arbitrary: bracket }),
  { maxLength: 40 }).map((tokens) => tokens.join(''))
const charset = fc.constantFrom('utf-8', 'iso-8859-1')

/** The options that body-parser gives to qs. */
function oracle (text, charset, extended, more) {
  const count = text.split('&').length
  return qs.parse(text, {
    allowPrototypes: true,
    arrayLimit: extended ? Math.max(100, count) : count,
    charset,
    depth: extended ? 32 : 0,
    parameterLimit: 1000,
    strictDepth: true,
    ...more
  })
}

/** Same values, same prototypes, same order of names. */
function assertSame (actual, expected) {
  assert.deepEqual(actual, expected)
  assert.equal(JSON.stringify(actual), JSON.stringify(expected))
}

module.exports = { CASES, anyForm, assertSame, charset, flatForm, oracle }
