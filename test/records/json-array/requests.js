'use strict'

// jsonArray over real connections: options, errors, codings, /web.

const assert = require('node:assert/strict')
const { inspect } = require('node:util')
const zlib = require('node:zlib')
const { jsonArray } = require('../../../')
const web = require('../../../lib/web')
const { collect, loop } = require('../../support/loop')
const schemaOf = require('../../support/schema-of')

const TYPE = { 'Content-Type': 'application/json' }
const EVEN = schemaOf(async (value) => value % 2 ? { issues: [{ message: 'odd' }] } : { value: value * 10 })

/** An error, without what is not in `expected`. */
const parts = (error, expected) =>
  expected && Object.fromEntries(Object.keys(expected).map((name) => [name, error?.[name]]))

describe('jsonArray gives', () => {
  // [what, options, body, items, error, message]
  const cases = [
    ['items of all kinds', {}, '[1,"é",null,true,{"a":[]},[]]', [1, 'é', null, true, { a: [] }, []]],
    ['items of a body in pieces', {},
      ['[{"a', '":"', Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1), '"}', ',2]'], [{ a: 'é' }, 2]],
    ['items below a path', { path: '/a~1b/c' }, '{"x":[0],"a/b":{"c":[1,2],"d":3}}', [1, 2]],
    ['items of the type that it was given', { type: 'text/*' }, '[1]', [1], undefined,
      { headers: { 'Content-Type': 'text/plain' } }],
    ['batches up to the most', { max: 4 }, '[1,2,3,4,5]', [[1, 2, 3], [4]],
      { type: 'records.too.many', limit: 4, record: 5, offset: 9 }, { size: 3 }],
    ['items of a gzip', {}, zlib.gzipSync('[1,{"a":2}]'), [1, { a: 2 }], undefined,
      { headers: { ...TYPE, 'Content-Encoding': 'gzip' } }],
    ['items that a reviver has made', { reviver: (key, value) => key === 'a' ? value + 1 : value },
      '[{"a":1}, 2 ,{"a":[]}]', [{ a: 2 }, 2, { a: '1' }]],
    ['each item to a reviver alone, under an empty key', { reviver: (key, value) => [key, value] }, '[1,2]',
      [['', 1], ['', 2]]],
    ['items without keys that are removed', { onProtoPoisoning: 'remove', onConstructorPoisoning: 'remove' },
      '[{"__proto__":1,"a":{"constructor":{"prototype":1},"b":2}}]', [{ a: { b: 2 } }]],
    ['items of the deepest nesting', { depth: 1, path: '/a/b' }, '{"a":{"b":[[],{},1]},"x":[[[{}]]]}', [[], {}, 1],
      { type: 'entity.too.deep', offset: 28, depth: 1 }],
    ['items up to one with a key that is refused', { onProtoPoisoning: 'error' }, '[1,{"__proto__":1}]', [1],
      { status: 400, type: 'entity.parse.failed', record: 2, offset: 3 }],
    ['items up to one that its reviver refuses',
      { reviver: (key, value) => { if (value === 2) throw new Error('no') } }, '[1,2]', [undefined],
      { status: 400, message: 'no', record: 2, body: '2' }],
    ['items up to one that a schema refuses', { schema: EVEN }, '[2, 3,4]', [20],
      { status: 422, type: 'entity.invalid', record: 2, offset: 3, body: ' 3', issues: [{ message: 'odd' }] }],
    ['items up to a fault', {}, '[1,{"a":1},x,3]', [1, { a: 1 }], {
      status: 400,
      type: 'entity.parse.failed',
      message: 'Unexpected token \'x\', "[1,{"a":1},x,3]" is not valid JSON',
      record: 3,
      offset: 11
    }],
    ['items before what stands behind the array', {}, '[1] 2', [1],
      { status: 400, type: 'entity.parse.failed', offset: 4 }],
    ['items of a body up to the limit', { limit: 5 }, zlib.gzipSync('[1,2,3]'), [1, 2],
      { status: 413, type: 'entity.too.large', limit: 5 }, { headers: { ...TYPE, 'Content-Encoding': 'gzip' } }],
    ['an error of another charset', {}, '[1]', [], { status: 415, type: 'charset.unsupported' },
      { headers: { 'Content-Type': 'application/json; charset=utf-16' } }]
  ]
  for (const [what, options, body, items, error, message] of cases) {
    it(what, async () => {
      const seen = await loop(jsonArray(options), body, { headers: TYPE, ...message })
      assert.deepEqual(parts(seen.error, error), error, seen.error?.stack)
      if (error === undefined) assert.equal(seen.error, undefined)
      assert.deepEqual(seen.items, items)
    })
  }

  it('each item or its error, with onError: \'collect\'', async () => {
    const seen = await loop(jsonArray({ onError: 'collect', maxErrors: 2, schema: EVEN }), '[2,3, 5,4,7]',
      { headers: TYPE })
    assert.deepEqual(seen.items.map(({ record, value, error }) =>
      [record, value, error?.record, error?.offset, error?.status]),
    [
      [1, 20, undefined, undefined, undefined], [2, undefined, 2, 3, 422], [3, undefined, 3, 5, 422],
      [4, 40, undefined, undefined, undefined]
    ])
    const { limit, record, type } = seen.error
    assert.deepEqual([limit, record, type], [2, 5, 'records.errors.too.many'])
  })

  it('batches of items that were parsed together, and of those of several chunks', async () => {
    const numbers = Array.from({ length: 8000 }, (_, index) => index)
    const text = JSON.stringify(numbers)
    for (const size of [1, 7, 1000, 5000, 10_000]) {
      const { items } = await loop(jsonArray(), [text.slice(0, 20_001), text.slice(20_001)], { headers: TYPE, size })
      assert.deepEqual(items.flat(), numbers)
      assert.deepEqual(new Set(items.slice(0, -1).map((list) => list.length)), new Set(items.length > 1 ? [size] : []))
    }
  })

  it('items with the keys of the text, where the engine confuses escaped ones', async () => {
    const items = Array.from({ length: 100 },
      (_, index) => `{"${index}":0,"\\u${(0x100 + index).toString(16).padStart(4, '0')}":1,"\\\\":2}`)
    const text = `[${items.join(',')}]`
    const { items: seen } = await loop(jsonArray(), text, { headers: TYPE })
    assert.deepEqual(seen.map((item) => Object.keys(item).at(-2)),
      items.map((_, index) => String.fromCharCode(0x100 + index)))
  })

  it('items of a Request of the web', async () => {
    const request = (body, headers = TYPE) => new Request('http://test', { method: 'POST', headers, body })
    assert.deepEqual(await collect(web.jsonArray({ path: '/é' })(request('{"é":["€",{"a":1}]}'))), ['€', { a: 1 }])
    await assert.rejects(collect(web.jsonArray()(request('[1,]'))),
      { type: 'entity.parse.failed', record: 2, offset: 3 })
    await assert.rejects(collect(web.jsonArray()(request('[1]', { 'Content-Type': 'text/plain' }))),
      { type: 'media.type.unsupported' })
    assert.deepEqual(await collect(web.jsonArray({ schema: EVEN, onError: 'collect' })(request('[2]'))),
      [{ record: 1, value: 20 }])
  })
})

describe('options of jsonArray', () => {
  // [options, message]
  const wrong = [
    [{ path: 'items' }, "option path must be a JSON Pointer to the array, such as '/data/items'"],
    [{ strict: true }, /^option strict is unknown to jsonArray: it belongs to json, ndjson; jsonArray takes limit, /],
    [{ verify () {} }, 'option verify cannot be combined with jsonArray, which never has the whole body']
  ]
  for (const [options, message] of wrong) {
    it(`that are wrong are refused: ${inspect(options)}`, () => {
      for (const create of [jsonArray, web.jsonArray]) {
        assert.throws(() => create(options), { name: 'TypeError', message })
      }
    })
  }

  it('need a next', () => assert.throws(() => jsonArray()({}, {}), /next/))
})
