'use strict'

const assert = require('node:assert/strict')
const { inspect } = require('node:util')
const oracle = require('body-parser')
const subject = require('fast-body-parser')
const { typed, typedError } = require('../support/outcome')
const parseContent = require('../support/parse-content')
const { table } = require('../support/table')

const TYPE = 'application/x-www-form-urlencoded'
const LATIN1 = `${TYPE}; charset=iso-8859-1`

const names = (count) => Array.from({ length: count }, (_, i) => `field${i}=${i}`).join('&')
const many = (count, name) => Array(count).fill(`${name}=1`).join('&')
const deep = (levels) => `a${'[b]'.repeat(levels)}=1`

const tooMany = {
  status: 413, type: 'parameters.too.many', message: 'too many parameters', constructor: 'PayloadTooLargeError'
}
const tooDeep = {
  status: 400,
  type: 'querystring.parse.rangeError',
  message: 'The input exceeded the depth',
  constructor: 'BadRequestError'
}

function row (it, body, expect, options, more) {
  return { it, parser: 'urlencoded', options, headers: { 'Content-Type': TYPE }, body, expect, ...more }
}

/**
 * The outcome is that of body-parser, for a form that is there as a whole.
 *
 * @returns {Promise<object>} it: a value, or an error
 */
async function likeOracle (form, options, type = TYPE) {
  const [ours, theirs] = await Promise.all([subject, oracle].map(({ urlencoded }) =>
    parseContent(urlencoded(options), type, form).then(typed, typedError)))
  assert.deepEqual(ours, theirs, JSON.stringify(options))
  return ours
}

/** @param {[options: object, form: string, error?: object][]} rows whose outcome is that of body-parser, or this one */
function compare (rows) {
  for (const [options, form, error = {}] of rows) {
    it(`${error.status === undefined ? 'accepts' : 'refuses'} ${form.slice(0, 30)} with ${inspect(options)}`, async () => {
      const { constructor, status, type, message } = await likeOracle(form, { extended: true, ...options })
      const isError = status !== undefined
      assert.deepEqual(isError ? { status, type, message, constructor } : {}, error)
    })
  }
}

describe('urlencoded()', () => {
  describe('req.body', () => {
    table([
      row('has the fields of the form', 'user=tobi&pet=cat', { body: { user: 'tobi', pet: 'cat' } }),
      row('has the fields of a chunked form', 'user=tobi&pet=cat', { body: { user: 'tobi', pet: 'cat' } }, {},
        { chunked: true }),
      row('is {} for an empty body', '', { body: {} }),
      row('is {} for an empty chunked body', '', { body: {} }, {}, { chunked: true }),
      row('does not nest by default', 'a[b]=1', { body: { 'a[b]': '1' } }),
      row('nests with any truthy value of extended', 'a[b]=1', { body: { a: { b: '1' } } }, { extended: 'yes' }),
      row('has all fields of a large form', names(900), undefined),
      row('is not set for too many parameters', 'a&b&c', { error: tooMany }, { parameterLimit: 2 }),
      row('is not set for too deep a form', deep(2), { error: tooDeep }, { extended: true, depth: 1 })
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
      many(99, 'a[]'), many(101, 'a[]'), many(150, 'a'), `a[120]=1&${many(150, 'b')}`, 'a[9]=1&a[90]=2&a[100]=3'
    ]
    for (const form of forms) {
      it(`parses ${form}`, async () => {
        await likeOracle(form, { extended: false })
        await likeOracle(form, { extended: true })
        await likeOracle(form, { extended: true }, LATIN1)
      })
    }
  })

  describe('option parameterLimit', () => {
    compare([
      [{}, names(1000)],
      [{}, names(1001), tooMany],
      [{ parameterLimit: 4 }, '&&&'],
      [{ parameterLimit: 3 }, '&&&', tooMany],
      [{ parameterLimit: 10 }, many(11, 'a[]'), tooMany],
      [{ parameterLimit: 1 }, `${deep(40)}&a`, tooMany],
      [{ parameterLimit: 2.9 }, 'a&b&c', tooMany],
      [{ parameterLimit: '2' }, 'a&b'],
      [{ parameterLimit: true }, 'a&b', tooMany],
      [{ parameterLimit: 2 ** 32 + 1 }, 'a&b', tooMany],
      [{ parameterLimit: 2 ** 31 }, 'a', tooMany],
      [{ parameterLimit: 2 ** 31 }, ''],
      [{ parameterLimit: Infinity, extended: false }, names(1500)],
      [{ parameterLimit: Infinity }, `a[]=1&${names(1100)}`],
      [{ parameterLimit: 2000 }, many(1100, 'a[]')]
    ])
  })

  describe('option depth', () => {
    compare([
      [{}, deep(32)],
      [{}, deep(33), tooDeep],
      [{ depth: 1 }, deep(2), tooDeep],
      [{ depth: 40 }, deep(40)],
      [{ depth: 0 }, deep(1)],
      [{ depth: false }, deep(1)],
      [{ depth: 1, extended: false }, deep(40)],
      [{ depth: -1, extended: false }, 'a=1'],
      [{ depth: Infinity }, deep(200)],
      [{ depth: 2.5 }, deep(3)],
      ...['3', null, true, ''].flatMap((depth) => [[{ depth }, deep(5)], [{ depth }, deep(6), tooDeep]])
    ])
  })

  describe('options charsetSentinel and interpretNumericEntities', () => {
    const forms = [
      'utf8=%E2%9C%93&a=%C3%A9', 'a=%C3%A9&utf8=%E2%9C%93', 'utf8=%26%2310003%3B&a=%E9',
      'utf8=%26%2310003%3B&a=%C3%A9&utf8=%E2%9C%93', 'utf8=x&a=%C3%A9',
      'utf8=%e2%9c%93&a=%E9', 'utf8=&a=1', 'utf8&a=1', 'utf8[]=%E2%9C%93&a=1', 'xutf8=%E2%9C%93&a=%E9', 'a=%E9',
      'utf%38=%E2%9C%93&a=%E9', 'utf8=✓&a=%E9', 'utf8=%E2%9C%93&utf8=2',
      'a=%26%239786%3B', 'a=%26#9786;', 'a=%26%23128512%3B', 'a=%26%23x263a%3B', 'a=%26amp%3B', '%26%239786%3B=1',
      'a=%26%2399999999%3B', 'a[b]=%26%239786%3B', 'a=%26%239786%3B&a=2', 'a=%26%2365',
      'utf8=%26%2310003%3B&a=%26%239786%3B'
    ]
    for (const form of forms) {
      it(`decode ${form}, unless they are 1`, async () => {
        await likeOracle(form, { charsetSentinel: true })
        await likeOracle(form, { charsetSentinel: true, extended: true }, LATIN1)
        await likeOracle(form, { interpretNumericEntities: true }, LATIN1)
        await likeOracle(form, { interpretNumericEntities: true, charsetSentinel: true, extended: true })
        await likeOracle(form, { interpretNumericEntities: 1, charsetSentinel: 1 }, LATIN1)
      })
    }
  })

  it('ignores other options of qs', () => likeOracle('?a.b=1,2&c[3]=d&e',
    { extended: true, allowDots: true, comma: true, plainObjects: true, parseArrays: false, strictNullHandling: true }))
})
