'use strict'

const assert = require('node:assert/strict')
const oracle = require('body-parser')
const subject = require('fast-body-parser')
const { typed, typedError } = require('../support/outcome')
const parseContent = require('../support/parse-content')
const { table } = require('../support/table')

const TYPE = 'application/x-www-form-urlencoded'
const FORM = { 'Content-Type': TYPE }
const LATIN1 = `${TYPE}; charset=iso-8859-1`

function row (it, body, expect, options, more) {
  return { it, parser: 'urlencoded', options, headers: FORM, body, expect, arrivals: ['together', 'halves'], ...more }
}

/** The outcome is that of body-parser, for a form that is there as a whole. */
async function isLikeOracle (form, options, type = TYPE) {
  const [ours, theirs] = await Promise.all([subject, oracle].map(({ urlencoded }) =>
    parseContent(urlencoded(options), type, form).then(typed, typedError)))
  assert.deepEqual(ours, theirs, JSON.stringify(options))
}

const many = (count, name = () => 'a') => Array.from({ length: count }, (_, i) => `${name(i)}=${i}`).join('&')
const deep = (levels) => `a${'[b]'.repeat(levels)}=1`

describe('urlencoded()', () => {
  describe('req.body', () => {
    table([
      row('has the fields of the form', 'user=tobi&pet=cat', { body: { user: 'tobi', pet: 'cat' } }, {},
        { arrivals: undefined }),
      row('has the fields of a chunked form', 'user=tobi&pet=cat', { body: { user: 'tobi', pet: 'cat' } }, {},
        { chunked: true, arrivals: undefined }),
      row('is {} for an empty body', '', { body: {} }),
      row('is {} for an empty chunked body', '', { body: {} }, {}, { chunked: true }),
      row('is {} for an empty body with extended', '', { body: {} }, { extended: true }),
      row('has an array for a repeated name', 'a=1&a=2&a=3', { body: { a: ['1', '2', '3'] } }),
      row('lacks a field __proto__', '__proto__=1&a=2', { body: { a: '2' } }),
      row('may have fields named like those of Object.prototype', 'hasOwnProperty=1&constructor=2&toString=3',
        { body: { hasOwnProperty: '1', constructor: '2', toString: '3' } }),
      row('does not nest by default', 'a[b]=1', { body: { 'a[b]': '1' } }),
      row('nests with extended', 'a[b][c]=1', { body: { a: { b: { c: '1' } } } }, { extended: true }),
      row('nests with any truthy value of extended', 'a[b]=1', { body: { a: { b: '1' } } }, { extended: 'yes' }),
      row('has all fields of a large form', many(900, (i) => `field${i}`), undefined)
    ])
  })

  describe('forms', () => {
    const forms = [
      'a', '=', '=a', 'a=', '&', '&&', 'a&a', 'a=1&&b=2', 'a=b=c', '?a=1', 'a.b=1', 'a=1,2', 'a=1;b=2', 'a+b=c+d',
      'a=%2B', '%3D=%26', '%=%', '%zz=%zz', '%C3%A9=%C3%A9', '%E9=%E9', 'a=%C3%A9%zz', '%25zz=1', 'a%00=%00',
      'é=é', '😀=%F0%9F%98%80', 'a%5Bb%5D=1', 'a%5B=1', '%255Bb%255D=1', 'a=%5B', 'a=[]',
      '__proto__=1', '%5F%5Fproto__=1', '__proto__[a]=1', 'a[__proto__][b]=1', 'constructor[prototype][a]=1',
      '10=a&9=b&b=c&a=d', '-1=a', 'a=1&b=2&a=3', 'undefined=1&null=2', '1&1&1',
      '[a]=1', '[]=1&[]=2', '[a][b]=1', '[[a]]=1', ']=1', '[=1', ']a[=1', 'a[]=1&a[]=2', 'a[]', 'a[1]=1&a[0]=2',
      'a[100]=1', 'a[101]=1', 'a[01]=1', 'a[-1]=1', 'a=1&a[b]=2', 'a[b]=1&a=2&a=3', 'a[0]=1&a[b]=2', 'a[b=1', 'a]b=1',
      'a[b]c[d]=1', 'a[][b]=1&a[][c]=2', 'a[b]=1&a[b]=2', 'a[b]]=1', 'a]=b=c', 'a[]=b[]=c', 'a[%5B]=1',
      'utf8=%E2%9C%93&a=%E9', 'a=%26%239786%3B', 'a[toString][b]=1', 'a[+]=1', 'a%20[b]=1', 'a[length]=5&a[0]=1',
      many(99, () => 'a[]'), many(101, () => 'a[]'), many(150, () => 'a'),
      many(30, (i) => `a[${i * 9}]`)
    ]
    for (const form of forms) {
      it(`parses ${form}`, async () => {
        await isLikeOracle(form, { extended: false })
        await isLikeOracle(form, { extended: true })
        await isLikeOracle(form, { extended: true }, LATIN1)
      })
    }
  })

  describe('option parameterLimit', () => {
    const tooMany = {
      error: {
        status: 413,
        type: 'parameters.too.many',
        message: 'too many parameters',
        constructor: 'PayloadTooLargeError'
      }
    }
    table([
      row('accepts 1000 parameters by default', many(1000, (i) => `a${i}`), undefined),
      row('refuses 1001 parameters by default', many(1001, (i) => `a${i}`), tooMany),
      row('counts ampersands plus one', '&&&', tooMany, { parameterLimit: 3 }),
      row('accepts as many parameters as it says', '&&&', { body: {} }, { parameterLimit: 4 }),
      row('applies to forms that nest', many(11, () => 'a[]'), tooMany, { parameterLimit: 10, extended: true }),
      row('is checked before the depth', `${deep(40)}&a`, tooMany, { parameterLimit: 1, extended: true }),
      row('is truncated to an integer', 'a&b&c', { error: { status: 413, body: 'a&b&c' } }, { parameterLimit: 2.9 }),
      row('may be a string', 'a&b', { body: { a: '', b: '' } }, { parameterLimit: '2' }),
      row('may be true', 'a&b', tooMany, { parameterLimit: true }),
      row('is 1 for 2^32 + 1, as in body-parser', 'a&b', tooMany, { parameterLimit: 2 ** 32 + 1 }),
      row('refuses every form for 2^31, as in body-parser', 'a', tooMany, { parameterLimit: 2 ** 31 }),
      row('does not apply to an empty body', '', { body: {} }, { parameterLimit: 2 ** 31 }),
      row('accepts any number of parameters with Infinity', many(1500, (i) => `a${i}`), undefined,
        { parameterLimit: Infinity }),
      row('accepts any number of nested parameters with Infinity', many(1500, (i) => `a[${i}]`), undefined,
        { parameterLimit: Infinity, extended: true }),
      row('bounds arrays in brackets as well', many(1500, () => 'a[]'), undefined,
        { parameterLimit: 2000, extended: true }),
      row('bounds arrays of repeated names as well', many(1500, () => 'a'), undefined, { parameterLimit: 2000 }),
      row('bounds array indices as well', `a[1200]=1&${many(1500, () => 'b')}`, undefined,
        { parameterLimit: 2000, extended: true })
    ])
  })

  describe('option depth', () => {
    const tooDeep = {
      error: {
        status: 400,
        type: 'querystring.parse.rangeError',
        message: 'The input exceeded the depth',
        constructor: 'BadRequestError'
      }
    }
    table([
      row('accepts 32 levels by default', deep(32), undefined, { extended: true }),
      row('refuses 33 levels by default', deep(33), tooDeep, { extended: true }),
      row('refuses two levels with 1', deep(2), tooDeep, { extended: true, depth: 1 }),
      row('accepts 40 levels with 40', deep(40), undefined, { extended: true, depth: 40 }),
      row('refuses any nesting with 0', 'a[b]=1', undefined, { extended: true, depth: 0 }),
      row('refuses any nesting with false', 'a[b]=1', undefined, { extended: true, depth: false }),
      row('does not apply without extended', deep(40), undefined, { depth: 1 }),
      row('is not validated without extended', 'a=1', { body: { a: '1' } }, { depth: -1 }),
      row('accepts any depth with Infinity', deep(200), undefined, { extended: true, depth: Infinity }),
      row('takes a fraction', deep(3), undefined, { extended: true, depth: 2.5 }),
      ...['3', null, true, ''].flatMap((depth) => [5, 6].map((levels) =>
        row(`${levels > 5 ? 'refuses' : 'accepts'} ${levels} levels with ${JSON.stringify(depth)}, which is 5`,
          deep(levels), levels > 5 ? tooDeep : undefined, { extended: true, depth })))
    ])
  })

  describe('option charsetSentinel', () => {
    const forms = [
      'utf8=%E2%9C%93&a=%C3%A9', 'a=%C3%A9&utf8=%E2%9C%93', 'utf8=%26%2310003%3B&a=%E9',
      'utf8=%26%2310003%3B&a=%C3%A9&utf8=%E2%9C%93', 'utf8=x&a=%C3%A9',
      'utf8=%e2%9c%93&a=%E9', 'utf8=&a=1', 'utf8&a=1', 'utf8[]=%E2%9C%93&a=1', 'xutf8=%E2%9C%93&a=%E9', 'a=%E9',
      'utf%38=%E2%9C%93&a=%E9', 'utf8=✓&a=%E9', 'utf8=%E2%9C%93&utf8=2'
    ]
    for (const form of forms) {
      it(`decodes ${form}, unless it is 1`, async () => {
        await isLikeOracle(form, { charsetSentinel: true })
        await isLikeOracle(form, { charsetSentinel: true, extended: true }, LATIN1)
        await isLikeOracle(form, { charsetSentinel: true, defaultCharset: 'iso-8859-1' })
        await isLikeOracle(form, { charsetSentinel: 1 })
      })
    }
  })

  describe('option interpretNumericEntities', () => {
    const forms = [
      'a=%26%239786%3B', 'a=%26#9786;', 'a=%26%23128512%3B', 'a=%26%23x263a%3B', 'a=%26amp%3B', '%26%239786%3B=1',
      'a=%26%2399999999%3B', 'a[b]=%26%239786%3B',
      'a=%26%239786%3B&a=2', 'a=%26%2365', 'utf8=%26%2310003%3B&a=%26%239786%3B', 'a=1'
    ]
    for (const form of forms) {
      it(`decodes ${form}, unless it is 1`, async () => {
        await isLikeOracle(form, { interpretNumericEntities: true }, LATIN1)
        await isLikeOracle(form, { interpretNumericEntities: true, extended: true })
        await isLikeOracle(form, { interpretNumericEntities: true, charsetSentinel: true })
        await isLikeOracle(form, { interpretNumericEntities: 1 }, LATIN1)
      })
    }
  })

  describe('other options of qs', () => {
    for (const name of ['allowDots', 'comma', 'allowSparse', 'plainObjects', 'parseArrays', 'ignoreQueryPrefix',
      'strictNullHandling']) {
      it(`do not include ${name}`, () => isLikeOracle('?a.b=1,2&c[3]=d&e', { extended: true, [name]: true }))
    }
  })
})
