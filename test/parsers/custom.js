'use strict'

const assert = require('node:assert/strict')
const exchange = require('../support/exchange')
const { everyWay, outcomeOfAll, succeeds } = require('../support/lane')
const { createParser, json, raw, text, urlencoded } = require('fast-body-parser')

describe('createParser()', () => {
  const parse = (content) => [content]

  it('parses bodies that match its type', async () => {
    const kinds = [
      ['application/yaml', 'application/yaml'],
      ['+yaml', 'application/x+yaml'],
      ['text/*', 'text/csv'],
      ['json', 'application/json'],
      [['application/a', 'application/b'], 'application/b'],
      [(req) => req.headers['content-type'].startsWith('vnd'), 'vnd/5']
    ]
    for (const [type, sent] of kinds) {
      await succeeds(createParser({ type, parse }), sent, 'text', ['text'])
      await succeeds(createParser({ type, parse }), 'image/png', 'text', undefined)
    }
  })

  it('hands an empty body to parse as well', async () => {
    await succeeds(createParser({ type: 'a/b', parse }), 'a/b', '', [''])
    await succeeds(createParser({ type: 'a/b', charset: false, parse }), 'a/b', '', [Buffer.alloc(0)])
  })

  it('decodes any charset that iconv-lite knows', async () => {
    const tell = (text, { charset }) => [text, charset]
    const koi8 = Buffer.from([0xC1, 0xC2])
    await succeeds(createParser({ type: 'a/b', parse: tell }), 'a/b; charset=KOI8-R', koi8, ['аб', 'koi8-r'])
    for (const charset of ['koi8-r', 'KOI8-R']) {
      await succeeds(createParser({ type: 'a/b', charset, parse: tell }), 'a/b', koi8, ['аб', 'koi8-r'])
    }
    for (const charset of [undefined, null]) {
      await succeeds(createParser({ type: 'a/b', charset, parse: tell }), 'a/b', 'é', ['é', 'utf-8'])
    }
    const seen = await outcomeOfAll(createParser({ type: 'a/b', parse: tell }), 'a/b; charset=klingon', 'x')
    assert.deepEqual([seen.error.status, seen.error.type, seen.error.message],
      [415, 'charset.unsupported', 'unsupported charset "KLINGON"'])
  })

  it('hands over the bytes with charset: false', async () => {
    const bytes = Buffer.from('fffe00c3', 'hex')
    await succeeds(createParser({ type: 'a/b', charset: false, parse: (bytes, { charset }) => [bytes, charset] }),
      'a/b; charset=klingon', bytes, [bytes, null])
  })

  it('hands over bytes that no later request overwrites', async () => {
    const kept = []
    const middleware = createParser({ type: 'a/b', charset: false, parse: (bytes) => { kept.push(bytes) } })
    for (const body of ['first', 'other']) await outcomeOfAll(middleware, 'a/b', body)
    const half = kept.length / 2
    assert.ok(kept.every((bytes, at) => String(bytes) === (at < half ? 'first' : 'other')))
  })

  it('has the options limit, inflate, verify and rawBody', async () => {
    const make = (options) => createParser({ type: 'a/b', parse, ...options })
    for (const message of Object.values(everyWay('a/b', 'text'))) {
      assert.equal((await exchange(make({ limit: 3 }), message)).error.type, 'entity.too.large')
    }
    await succeeds(make({ limit: 4 }), 'a/b', 'text', ['text'])
    const zipped = Object.entries(everyWay('a/b', 'text')).filter(([way]) => way.startsWith('gzip'))
    for (const [, message] of zipped) {
      assert.equal((await exchange(make({ inflate: false }), message)).error.type, 'encoding.unsupported')
    }
    const charsets = []
    await outcomeOfAll(make({ verify: (req, res, bytes, charset) => { charsets.push(charset) } }), 'a/b', 'text')
    await outcomeOfAll(make({ charset: false, verify: (req, res, bytes, charset) => { charsets.push(charset) } }),
      'a/b', 'text')
    assert.deepEqual([...new Set(charsets)], ['utf-8', null])
    await succeeds(make({ rawBody: true, parse: (text, { req }) => [text, req.rawBody] }), 'a/b', 'text',
      ['text', Buffer.from('text')])
  })

  it('leaves a body alone that another parser has parsed', async () => {
    const first = createParser({ type: 'a/b', parse })
    const second = createParser({ type: 'a/b', parse: () => assert.fail('called') })
    await succeeds((req, res, next) => first(req, res, (error) => error ? next(error) : second(req, res, next)), 'a/b',
      'text', ['text'])
  })

  it('works in a stack with the other parsers', async () => {
    const row = [json(), urlencoded(), text(), raw(), createParser({ type: 'a/b', parse })]
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
    for (const type of [null, '', 0, 5, true, {}, [], [''], Array(1), ['a/b', 5], [[]], 'ndjson', 'A/B', 'a/b; c=d',
      ' a/b', 'a b/c', '/', '*', '+', '+x y', Symbol('a/b'), [['a/b']], [Object('a/b')], 'text/*ml', 'te*t/html',
      'x/+json', '*/*+', 'a.b/c', '+a/b']) {
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
