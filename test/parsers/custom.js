'use strict'

const assert = require('node:assert/strict')
const exchange = require('../support/exchange')
const { succeeds, waysInTurn } = require('../support/lane')
const parseContent = require('../support/parse-content')
const { createParser, json } = require('fast-body-parser')

describe('createParser()', () => {
  const parse = (content) => [content]

  const ANY = { type: 'a/b', parse: (content, { charset }) => [content, charset] }
  const koi8 = Buffer.from([0xC1, 0xC2])
  const bytes = Buffer.from('fffe00c3', 'hex')
  // [what it parses, options, Content-Type, content, expected]
  for (const [what, options, type, content, expected] of [
    ['bodies of its type', { type: 'application/yaml' }, 'application/yaml', 'text', ['text', 'utf-8']],
    ['bodies of its suffix', { type: '+yaml' }, 'application/x+yaml', 'text', ['text', 'utf-8']],
    ['bodies of its pattern', { type: 'text/*' }, 'text/csv', 'text', ['text', 'utf-8']],
    ['bodies of a name', { type: 'json' }, 'application/json', 'text', ['text', 'utf-8']],
    ['bodies of a list', { type: ['application/a', 'application/b'] }, 'application/b', 'text', ['text', 'utf-8']],
    ['bodies that its function accepts', { type: (req) => req.headers['content-type'].startsWith('vnd') }, 'vnd/5',
      'text', ['text', 'utf-8']],
    ['no others', {}, 'image/png', 'text', undefined],
    ['an empty body', {}, 'a/b', '', ['', 'utf-8']],
    ['an empty body of bytes', { charset: false }, 'a/b', '', [Buffer.alloc(0), null]],
    ['a charset of the header', {}, 'a/b; charset=KOI8-R', koi8, ['аб', 'koi8-r']],
    ['its charset', { charset: 'koi8-r' }, 'a/b', koi8, ['аб', 'koi8-r']],
    ['its charset in upper case', { charset: 'KOI8-R' }, 'a/b', koi8, ['аб', 'koi8-r']],
    ['UTF-8 if its charset is null', { charset: null }, 'a/b', 'é', ['é', 'utf-8']],
    ['bytes with charset: false', { charset: false }, 'a/b; charset=klingon', bytes, [bytes, null]],
    ['a body as long as its limit', { limit: 4 }, 'a/b', 'text', ['text', 'utf-8']],
    ['a body that is also req.rawBody', { rawBody: true, parse: (text, { req }) => [text, req.rawBody] }, 'a/b', 'text',
      ['text', Buffer.from('text')]]
  ]) {
    it(`parses ${what}`, async () =>
      assert.deepEqual(await parseContent(createParser({ ...ANY, ...options }), type, content), expected))
  }

  it('refuses a charset that iconv-lite does not know', () => assert.rejects(
    parseContent(createParser(ANY), 'a/b; charset=klingon', 'x'),
    { status: 415, type: 'charset.unsupported', message: 'unsupported charset "KLINGON"' }))

  it('has the options limit, inflate and verify, however the body arrives', async () => {
    const make = (options) => createParser({ ...ANY, ...options })
    const charsets = []
    const verify = (req, res, bytes, charset) => { charsets.push(charset) }
    for (const [way, message] of waysInTurn('a/b', 'text')) {
      assert.equal((await exchange(make({ limit: 3 }), message)).error.type, 'entity.too.large')
      const { error } = await exchange(make({ inflate: false }), message)
      assert.equal(error.type, way.startsWith('gzip') ? 'encoding.unsupported' : undefined)
      for (const charset of ['utf-8', false]) await exchange(make({ charset, verify }), message)
    }
    assert.deepEqual([...new Set(charsets)], ['utf-8', null])
  })

  it('works in a stack with the other parsers', async () => {
    const row = [json(), createParser({ type: 'a/b', parse }), createParser({ type: 'a/b', parse: assert.fail })]
    const all = (req, res, next) => {
      const step = (at) => (error) => error || at === row.length ? next(error) : row[at](req, res, step(at + 1))
      step(0)()
    }
    await succeeds(all, 'a/b', 'text', ['text'])
    await succeeds(all, 'application/json', '{"a":1}', { a: 1 })
  })

  it('makes a middleware called customParser, and is exported as fast-body-parser/custom', () => {
    const middleware = createParser({ type: 'a/b', parse })
    assert.deepEqual([middleware.name, middleware.length, createParser.name, createParser.length],
      ['customParser', 3, 'createParser', 1])
    assert.equal(require('fast-body-parser/custom'), createParser)
  })

  it('throws a TypeError without a valid type and a parse function', () => {
    const noType = {
      name: 'TypeError',
      message: 'option type must be a function, or a media type in lower case, a pattern or a known extension name, ' +
        'or a list of these'
    }
    for (const options of [undefined, null, 5, 'a/b', {}, { parse }]) assert.throws(() => createParser(options), noType)
    for (const type of [null, '', 5, {}, [], [''], Array(1), ['a/b', 5], 'ndjson', 'A/B', 'a/b; c=d', ' a/b', '/', '*',
      '+', '+x y', Symbol('a/b'), [['a/b']], 'text/*ml', 'te*t/html', 'x/+json', '*/*+', 'a.b/c', '+a/b']) {
      assert.throws(() => createParser({ type, parse }), noType)
    }
    for (const options of [{ type: 'a/b' }, { type: 'a/b', parse: null }]) {
      assert.throws(() => createParser(options), { name: 'TypeError', message: 'option parse must be a function' })
    }
  })

  it('throws a TypeError for an unknown charset and for other invalid options', () => {
    for (const type of ['a/b', 'json', '+json', '*/*', 'a/*', '*/b', '*/*+json', 'a!#$&^_-/b!#$&^_.+-',
      ['urlencoded', 'application/vnd.x+json']]) {
      createParser({ type, parse })
    }
    for (const charset of ['UTF-8', 'koi8-r', 'Shift_JIS']) createParser({ type: 'a/b', parse, charset })
    for (const charset of ['', 'klingon', true, 0, 5, {}, [], () => 'utf-8']) {
      assert.throws(() => createParser({ type: 'a/b', parse, charset }),
        { name: 'TypeError', message: 'option charset must be one that iconv-lite knows, or false for bytes' })
    }
    assert.throws(() => createParser({ type: 'a/b', parse, limit: 'much' }), { name: 'TypeError', message: /limit/ })
    assert.throws(() => createParser({ type: 'a/b', parse, verify: 'yes' }), { name: 'TypeError', message: /verify/ })
  })
})
