'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const { describeForm } = require('../../../lib/formats/urlencoded/describe')
const { CASES, assertSame, charset, flatForm, oracle } = require('../../support/forms')
const within = require('../../support/within')

const SETTINGS = { charsetSentinel: false, interpretNumericEntities: false, parameterLimit: 1000 }
const parse = (text, charset = 'utf-8', extended = false) =>
  describeForm({ ...SETTINGS, depth: extended ? 32 : 0, extended }).parse(text, charset)

describe('urlencoded/flat', () => {
  for (const text of ['[', ']', 'a[b]', '%5B', '%5b', '%5D', '%5d', '%25%5B', '%%5B', '%5%5d', '%5', '%', '%255B']) {
    it(`has the result of qs for a name with ${text}`, () =>
      assertSame(parse(`a${text}=1&a=2`, 'utf-8', true), oracle(`a${text}=1&a=2`, 'utf-8', true)))
  }

  describe('without brackets', () => {
    it('has the result of qs for every form without brackets', () => {
      fc.assert(fc.property(flatForm, charset, fc.boolean(), (text, charset, extended) => {
        const coding = charset === 'utf-8' ? 'utf8' : 'latin1'
        text = Buffer.from(text, coding).toString(coding) // only what a decoder can give
        assertSame(parse(text, charset, extended), text === '' ? {} : oracle(text, charset, extended))
      }), CASES)
    })

    it('has the result of qs for text in ISO-8859-1 that has been decoded from another charset', () => {
      for (const text of ['a=€&b=€%41', '€%E9%e9=%%4%zz€', 'a=😀%20+%E9&😀=1', 'é%FF=ÿ%00']) {
        for (const extended of [true, false]) {
          assertSame(parse(text, 'iso-8859-1', extended), oracle(text, 'iso-8859-1', extended))
        }
      }
      assert.deepEqual(parse('a=€%41', 'iso-8859-1'), { a: '€A' })
    })

    it('searches once for an equals sign where there is none, however many parameters there are', () => {
      const { indexOf } = String.prototype
      let searches = 0
      const counting = function (what, from) {
        if (what === '=') searches++
        return indexOf.call(this, what, from)
      }
      within(String.prototype, { indexOf: counting }, () => parse('a&'.repeat(100)))
      assert.equal(searches, 1)
    })
  })

  it('drops __proto__ also under node --disable-proto=delete', () => {
    const accessor = Object.getOwnPropertyDescriptor(Object.prototype, '__proto__')
    Reflect.deleteProperty(Object.prototype, '__proto__')
    let form
    try {
      form = parse('__proto__=1&a=2&__proto__=3')
    } finally {
      // eslint-disable-next-line no-extend-native
      Object.defineProperty(Object.prototype, '__proto__', accessor)
    }
    assert.deepEqual(Object.entries(form), [['a', '2']])
  })
})
