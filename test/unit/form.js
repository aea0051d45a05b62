'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const qs = require('qs')
const { countParameters, hasBrackets, parseFlat, unescapeLatin1, unescapeUtf8 } = require('../../lib/form')
const urlencoded = require('../../lib/types/urlencoded')
const { Readable } = require('node:stream')

const CASES = { numRuns: Number(process.env.FUZZ_RUNS) || 3000 }

/** What means something somewhere, whole and in pieces. */
const token = fc.constantFrom('a', 'b', 'ab', '0', '1', '01', '10', '=', '==', '&', '&&', '+', '%', '%2', '%20', '%2B', '%3D', '%26', '%25', '%5', '%zz', '%C3%A9',
  '%E9', '%E2%9C%93', '%F0%9F%98%80', '%00', 'é', '😀', '\ud83d', '\udc00', '__proto__', 'constructor', 'hasOwnProperty', 'toString', 'length', '.', ',', ';', '?', '#', ' ',
  'utf8=', '%26%23', '&#65;', '%5f')
const bracket = fc.constantFrom('[', ']', '[]', '[0]', '[1]', '[99]', '[a]', '%5B', '%5D', '%5b%5d', '[__proto__]', ']=')
const flatForm = fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(''))
const anyForm = fc.array(fc.oneof({ weight: 5, arbitrary: token }, { weight: 1, arbitrary: bracket }), { maxLength: 40 }).map((tokens) => tokens.join(''))
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

function parse (text, options, type = 'application/x-www-form-urlencoded') {
  const bytes = Buffer.from(text, type.includes('8859') ? 'latin1' : 'utf8')
  const req = Object.assign(Readable.from(bytes.length > 0 ? [bytes] : []), { headers: { 'content-type': type, 'content-length': String(bytes.length) } })
  return new Promise((resolve, reject) => urlencoded(options)(req, {}, (error) => error ? reject(error) : resolve(req.body)))
}

describe('form', () => {
  describe('hasBrackets', () => {
    for (const text of ['[', ']', 'a[b]=1', '%5B', '%5b', '%5D', '%5d', 'a=%25%5B', '%%5B', '%5%5d']) {
      it(`sees them in ${text}`, () => assert.equal(hasBrackets(text), true))
    }
    for (const text of ['', 'a=1', '%5', '%', '5B', '%5A', '%5C', '%5E', '%5c', '%4B', '%255B', '%5', 'a%5 B', '%5\u0142']) {
      it(`sees none in ${text}`, () => assert.equal(hasBrackets(text), false))
    }
  })

  it('countParameters counts what ampersands part, up to one too many', () => {
    for (const text of ['', 'a', '&', 'a&b', '&&&', 'a=1&b=2&']) {
      assert.equal(countParameters(text, Infinity), text.split('&').length)
      for (const most of [1, 2, 3, 4, 5]) assert.equal(countParameters(text, most), Math.min(text.split('&').length, most + 1))
    }
  })

  describe('parseFlat', () => {
    it("is qs's equal on every form without brackets", () => {
      fc.assert(fc.property(flatForm, charset, fc.boolean(), (text, charset, extended) => {
        const coding = charset === 'utf-8' ? 'utf8' : 'latin1'
        text = Buffer.from(text, coding).toString(coding) // only what a decoder can give
        fc.pre(!hasBrackets(text))
        const unescape = charset === 'utf-8' ? unescapeUtf8 : unescapeLatin1
        assertSame(parseFlat(text, unescape), oracle(text, charset, extended))
      }), CASES)
    })

    it("is qs's equal on many parameters", () => {
      fc.assert(fc.property(fc.array(fc.constantFrom('a', 'b', '7', 'c=1', '=x', '', '__proto__=2'), { minLength: 90, maxLength: 300 }), fc.boolean(), (pairs, extended) => {
        const text = pairs.join('&')
        assertSame(parseFlat(text, unescapeUtf8), oracle(text, 'utf-8', extended))
      }), { numRuns: 200 })
    })

    it('looks for an equals sign once if there is none, however many parameters there are', () => {
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

    it('gives what others cannot tamper with', () => {
      const form = parseFlat('__proto__=1&hasOwnProperty=2&hasOwnProperty=3', unescapeUtf8)
      assert.equal(Object.getPrototypeOf(form), Object.prototype)
      assert.deepEqual(form, { hasOwnProperty: ['2', '3'] })
    })
  })

  it('parseFlat leaves __proto__ out where objects do not have it, as with node --disable-proto=delete', () => {
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

  describe('urlencoded', () => {
    it('passes on what else qs may throw', async () => {
      const { parse: real } = qs
      const fault = new TypeError('a fault of qs')
      qs.parse = () => { throw fault }
      try {
        await assert.rejects(parse('a[b]=1'), (error) => error === fault && error.status === 400 && error.type === 'entity.parse.failed')
      } finally {
        qs.parse = real
      }
    })

    it("is qs's equal on every form", async () => {
      await fc.assert(fc.asyncProperty(anyForm, fc.boolean(), async (text, extended) => {
        const sent = Buffer.from(text).toString() // without lone surrogates
        assertSame(await parse(sent, { extended }), oracle(sent, 'utf-8', extended))
      }), { numRuns: Math.ceil(CASES.numRuns / 3) })
    })

    it("is qs's equal on every form in ISO-8859-1", async () => {
      await fc.assert(fc.asyncProperty(anyForm, fc.boolean(), async (text, extended) => {
        const latin1 = Buffer.from(text, 'latin1').toString('latin1')
        assertSame(await parse(latin1, { extended }, 'application/x-www-form-urlencoded; charset=iso-8859-1'), oracle(latin1, 'iso-8859-1', extended))
      }), { numRuns: Math.ceil(CASES.numRuns / 3) })
    })

    it("is qs's equal with sentinel and entities", async () => {
      const flags = { charsetSentinel: true, interpretNumericEntities: true }
      await fc.assert(fc.asyncProperty(anyForm, charset, async (text, defaultCharset) => {
        const latin1 = Buffer.from(text, 'latin1').toString('latin1').replace(/[\x80-\xff]/g, '')
        assertSame(await parse(latin1, { ...flags, defaultCharset }), oracle(latin1, defaultCharset, false, flags))
      }), { numRuns: Math.ceil(CASES.numRuns / 3) })
    })
  })
})
