'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const { hasBrackets, parseFlat, unescapeLatin1, unescapeUtf8 } = require('../../../lib/formats/urlencoded/flat')
const { countParameters } = require('../../../lib/formats/urlencoded/describe')
const { CASES, assertSame, charset, flatForm, oracle } = require('../../support/forms')

describe('flat', () => {
  describe('hasBrackets', () => {
    for (const text of ['[', ']', 'a[b]=1', '%5B', '%5b', '%5D', '%5d', 'a=%25%5B', '%%5B', '%5%5d']) {
      it(`finds brackets in ${text}`, () => assert.equal(hasBrackets(text), true))
    }
    for (const text of [
      '', 'a=1', '%5', '%', '5B', '%5A', '%5C', '%5E', '%5c', '%4B', '%255B', '%5', 'a%5 B', '%5\u0142'
    ]) {
      it(`finds no brackets in ${text}`, () => assert.equal(hasBrackets(text), false))
    }
  })

  it('countParameters counts ampersands plus one, and stops above the limit', () => {
    for (const text of ['', 'a', '&', 'a&b', '&&&', 'a=1&b=2&']) {
      assert.equal(countParameters(text, Infinity), text.split('&').length)
      for (const most of [1, 2, 3, 4, 5]) {
        assert.equal(countParameters(text, most), Math.min(text.split('&').length, most + 1))
      }
    }
  })

  describe('parseFlat', () => {
    it('has the result of qs for every form without brackets', () => {
      fc.assert(fc.property(flatForm, charset, fc.boolean(), (text, charset, extended) => {
        const coding = charset === 'utf-8' ? 'utf8' : 'latin1'
        text = Buffer.from(text, coding).toString(coding) // only what a decoder can give
        fc.pre(!hasBrackets(text))
        const unescape = charset === 'utf-8' ? unescapeUtf8 : unescapeLatin1
        assertSame(parseFlat(text, unescape), oracle(text, charset, extended))
      }), CASES)
    })

    it('has the result of qs for many parameters', () => {
      fc.assert(
        fc.property(fc.array(fc.constantFrom('a', 'b', '7', 'c=1', '=x', '', '__proto__=2'), {
          minLength: 90,
          maxLength: 300
        }),
        fc.boolean(), (pairs, extended) => {
          const text = pairs.join('&')
          assertSame(parseFlat(text, unescapeUtf8), oracle(text, 'utf-8', extended))
        }),
        { numRuns: 200 }
      )
    })

    it('has the result of qs for text in ISO-8859-1 that has been decoded from another charset', () => {
      for (const text of ['a=€&b=€%41', '€%E9%e9=%%4%zz€', 'a=😀%20+%E9&😀=1', 'é%FF=ÿ%00']) {
        for (const extended of [true, false]) {
          assertSame(parseFlat(text, unescapeLatin1), oracle(text, 'iso-8859-1', extended))
        }
      }
      assert.deepEqual(parseFlat('a=€%41', unescapeLatin1), { a: '€A' })
    })

    it('searches once for an equals sign where there is none, however many parameters there are', () => {
      const { indexOf } = String.prototype
      let searches = 0
      // eslint-disable-next-line no-extend-native
      String.prototype.indexOf = function (what, from) {
        if (what === '=') searches++
        return indexOf.call(this, what, from)
      }
      try {
        parseFlat('a&'.repeat(100), unescapeUtf8)
      } finally {
        String.prototype.indexOf = indexOf // eslint-disable-line no-extend-native
      }
      assert.equal(searches, 1)
    })

    it('returns a plain object, whatever the names', () => {
      const form = parseFlat('__proto__=1&hasOwnProperty=2&hasOwnProperty=3', unescapeUtf8)
      assert.equal(Object.getPrototypeOf(form), Object.prototype)
      assert.deepEqual(form, { hasOwnProperty: ['2', '3'] })
    })
  })

  it('parseFlat drops __proto__ also under node --disable-proto=delete', () => {
    const accessor = Object.getOwnPropertyDescriptor(Object.prototype, '__proto__')
    Reflect.deleteProperty(Object.prototype, '__proto__')
    let form
    try {
      form = parseFlat('__proto__=1&a=2&__proto__=3', unescapeUtf8)
    } finally {
      // eslint-disable-next-line no-extend-native
      Object.defineProperty(Object.prototype, '__proto__', accessor)
    }
    assert.deepEqual(Object.entries(form), [['a', '2']])
  })
})
