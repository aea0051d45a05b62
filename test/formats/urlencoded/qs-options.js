'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const qs = require('qs')
const { urlencoded } = require('fast-body-parser')
const { assertSame } = require('../../support/forms')
const parseContent = require('../../support/parse-content')

const TYPE = 'application/x-www-form-urlencoded'

/** What qs makes of the form with the options that urlencoded sets, and these. */
const expected = (form, more = {}) => qs.parse(form, {
  allowPrototypes: true,
  charset: 'utf-8',
  charsetSentinel: false,
  depth: 32,
  interpretNumericEntities: false,
  parameterLimit: 1000,
  strictDepth: true,
  arrayLimit: Math.max(100, form.split('&').length),
  ...more
})

const parse = (form, options) => parseContent(urlencoded({ extended: true, ...options }), TYPE, form)

const SWITCHES = [
  'allowDots', 'allowEmptyArrays', 'allowPrototypes', 'allowSparse', 'comma', 'decodeDotInKeys', 'parseArrays',
  'plainObjects', 'strictMerge', 'strictNullHandling', 'throwOnLimitExceeded'
]

describe('qs', () => {
  for (const [options, form, value] of [
    [{ allowDots: true }, 'a.b=1&a.c=2', { a: { b: '1', c: '2' } }],
    [{ comma: true }, 'a=1,2&b=3', { a: ['1', '2'], b: '3' }],
    [{ strictNullHandling: true }, 'a&b=', { a: null, b: '' }],
    [{ allowDots: true, decodeDotInKeys: true }, 'a%252Eb.c=1', { 'a.b': { c: '1' } }],
    [{ decoder: (text, decode, charset, type) => `${type}:${decode(text, decode, charset)}` }, 'a=%41',
      { 'key:a': 'value:A' }],
    [{ decoder: (text, decode, charset, type) => type === 'key' ? text : null }, 'a=1', { a: null }],
    [{ comma: undefined }, 'a=1,2', { a: '1,2' }],
    [{}, 'a[b]=1&c=2', { a: { b: '1' }, c: '2' }]
  ]) {
    it(`takes ${JSON.stringify(options)} for ${form}`, async () => {
      assert.deepEqual(await parse(form, { qs: options }), value)
      assert.deepEqual(expected(form, options), value)
    })
  }

  it('gives the result of qs for any form and options', async () => {
    const piece = fc.constantFrom('a', 'b', 'c.d', '[', ']', '[]', '[0]', '[7]', '[x]', '=', '&', ',', '.', '%2E',
      '%252E', '%5B', '%5D', '%2C', '+', 'é', '%', 'toString', '__proto__')
    const switches = fc.record(Object.fromEntries(SWITCHES.map((name) => [name, fc.boolean()])),
      { requiredKeys: [] }).filter(({ plainObjects, strictMerge }) => !plainObjects || strictMerge !== false)
    const others = fc.record({
      arrayLimit: fc.nat({ max: 10 }),
      duplicates: fc.constantFrom('combine', 'first', 'last')
    }, { requiredKeys: [] })
    const form = fc.array(piece, { minLength: 1, maxLength: 20 }).map((pieces) => pieces.join(''))
    await fc.assert(fc.asyncProperty(form, switches, others, async (form, switches, others) => {
      const options = { ...switches, ...others }
      const outcome = (promise) => promise.catch(({ message }) => ({ message }))
      const theirs = await outcome((async () => expected(form, options))())
      assert.deepEqual(await outcome(parse(form, { qs: options })), theirs)
    }), { numRuns: Number(process.env.FUZZ_RUNS) || 500 })
  })

  it('leaves the other options as they are', async () => {
    const qs = { allowDots: true }
    await assert.rejects(parse('a.b.c=1', { qs, depth: 1 }), { status: 400, type: 'querystring.parse.rangeError' })
    await assert.rejects(parse('a=1&b=2', { qs, parameterLimit: 1 }), { status: 413, type: 'parameters.too.many' })
    assert.deepEqual(await parse('a.toString=1&toString=2', { qs }), { a: { toString: '1' }, toString: '2' })
    const entities = { charsetSentinel: true, interpretNumericEntities: true }
    assert.deepEqual(await parse('utf8=%26%2310003%3B&a=%26%239786%3B', { qs, ...entities }), { a: '☺' })
    assert.deepEqual(await parse('', { qs }), {})
  })

  it('reports an array that is too long as what cannot be parsed', async () => {
    const qs = { arrayLimit: 2, throwOnLimitExceeded: true }
    await assert.rejects(parse('a[]=1&a[]=2&a[]=3', { qs }), (error) => {
      assert.deepEqual([error.status, error.type, error.body], [400, 'entity.parse.failed', 'a[]=1&a[]=2&a[]=3'])
      assert.match(error.message, /Array limit exceeded/)
      return true
    })
  })

  it('gives a 500 for a decoder that returns a promise, which would become the value', async () => {
    const qs = { decoder: () => Promise.reject(new Error('no')) }
    await assert.rejects(parse('a=1', { qs }),
      { name: 'TypeError', status: 500, message: 'option qs.decoder must not return a promise' })
  })

  for (const name of [
    'charset', 'charsetSentinel', 'delimiter', 'depth', 'interpretNumericEntities', 'parameterLimit', 'strictDepth'
  ]) {
    it(`does not take ${name}, which urlencoded sets`, () => {
      assert.throws(() => urlencoded({ extended: true, qs: { [name]: true } }),
        { name: 'TypeError', message: new RegExp(`^option qs takes arrayLimit, .*; not ${name}$`) })
    })
  }

  for (const [qs, message] of [
    ...SWITCHES.map((name) => [{ [name]: 1 }, `option qs.${name} must be true or false`]),
    ...[-1, 1.5, NaN, Infinity, '5', null].map((arrayLimit) =>
      [{ arrayLimit }, 'option qs.arrayLimit must be zero or a positive integer']),
    [{ decoder: true }, 'option qs.decoder must be a function'],
    [{ duplicates: 'all' }, "option qs.duplicates must be one of 'combine', 'first' and 'last'"],
    [{ dots: true }, /^option qs takes arrayLimit, decoder, .*; not dots$/],
    [{ constructor: true }, /; not constructor$/],
    [{ plainObjects: true, strictMerge: false }, 'option qs.plainObjects cannot be combined with strictMerge: false'],
    [[], 'option qs must be an object'],
    [true, 'option qs must be an object'],
    [() => {}, 'option qs must be an object']
  ]) {
    it(`is not ${JSON.stringify(qs) ?? 'a function'}`, () =>
      assert.throws(() => urlencoded({ extended: true, qs }), { name: 'TypeError', message }))
  }

  it('excludes a form that is not extended', () => assert.throws(() => urlencoded({ qs: {} }),
    { name: 'TypeError', message: 'option qs cannot be combined with extended: false' }))
})

describe('qs: { allowPrototypes: false }', () => {
  const rows = [
    // text, without names of Object.prototype, with them
    ['a=1&toString=2', { a: '1' }, { a: '1', toString: '2' }],
    ['%74oString=1', {}, { toString: '1' }],
    ['a[b][constructor][prototype][x]=1&b=2', { b: '2' },
      { a: { b: { constructor: { prototype: { x: '1' } } } }, b: '2' }],
    ['constructor[a]=1&b[]=2', { b: ['2'] }, { constructor: { a: '1' }, b: ['2'] }],
    ['__proto__=1&a[__proto__]=2&b=3', { b: '3' }, { a: {}, b: '3' }],
    ['prototype=1&length=2', { prototype: '1', length: '2' }, { prototype: '1', length: '2' }]
  ]
  for (const [text, without, withThem] of rows) {
    it(`drops names of Object.prototype from ${text}`, async () => {
      for (const [allowPrototypes, expected] of [[false, without], [true, withThem], [undefined, withThem]]) {
        assertSame(await parse(text, { qs: { allowPrototypes } }), expected)
      }
      assertSame(await parse(text), withThem)
    })
  }
})
