'use strict'

const assert = require('node:assert/strict')
const { inspect } = require('node:util')
const web = require('fast-body-parser/web')
const { collect, TYPES } = require('../support/loop')
const schemaOf = require('../support/schema-of')
const { post: postBody, streamOf: openStream } = require('../support/web-request')

const { firstOf, json, multipart, ndjson, raw, text, urlencoded } = web
const FORM = 'application/x-www-form-urlencoded'
const schema = schemaOf((value) => value === undefined ? { issues: [{ message: 'missing' }] } : { value })

const post = (type, body, headers = {}) => postBody(body, { ...type && { 'content-type': type }, ...headers })
const streamOf = (...chunks) => openStream(chunks.map((chunk) => new TextEncoder().encode(chunk)))

describe('firstOf of fast-body-parser/web', () => {
  const read = firstOf(json(), urlencoded())

  for (const [what, reader, request, body] of [
    ['the reader that fits', read, post(`${FORM}; charset=utf-8`, 'a=1'), { a: '1' }],
    ['only the first of two that fit', firstOf(json({ strict: false }), text({ type: '*/*' })),
      post('application/json', '"a"'), 'a'],
    ['a reader with a pattern', firstOf(json({ type: '+json' }), text()), post('application/problem+json', '{}'), {}],
    ['a reader with a function', firstOf(json(), text({ type: (request) => request.method === 'POST' })),
      post('a/b', 'x'), 'x'],
    ['the last of readers within readers', firstOf(read, firstOf(text())), post('text/plain', 'x'), 'x'],
    ['a body that is undefined', firstOf(json({ parse: () => undefined }), raw({ type: '*/*' })),
      post('application/json', '{}'), undefined]
  ]) {
    it(`gives the body of ${what}`, async () => {
      assert.deepEqual(await reader(request), body)
    })
  }

  it('gives records', async () => {
    const records = await firstOf(json(), ndjson())(post('application/x-ndjson', '[1]\n[2]\n'))
    assert.deepEqual(await collect(records), [[1], [2]])
  })

  for (const [what, readers, type, body, accept, message] of [
    ['no type', [json(), ndjson()], undefined, streamOf('x'), ['application/json', ...TYPES].join(', '),
      'unsupported media type: the request names none'],
    ['a type of 1,000 characters', [json({ type: ['a/*', '+json'] }), firstOf(json(), raw({ type: 'a/*' }))],
      `b/${'x'.repeat(1000)}`, 'x', 'a/*, application/json', `unsupported media type "b/${'x'.repeat(98)}..."`],
    ['another type, for functions', [json({ type: () => false })], 'text/xml', 'x', undefined,
      'unsupported media type "text/xml"'],
    ['another type with a schema', [json({ schema }), multipart({ schema })], 'text/xml', 'x',
      'application/json, multipart/form-data', 'unsupported media type "text/xml"']
  ]) {
    it(`refuses content of ${what}, which stays to be read`, async () => {
      const request = post(type, body)
      await assert.rejects(firstOf(...readers)(request), (error) => {
        assert.deepEqual([error.status, error.type, error.message], [415, 'media.type.unsupported', message])
        assert.deepEqual(error.headers, accept && { Accept: accept })
        return true
      })
      assert.equal(request.bodyUsed, false)
      assert.notEqual(await request.text(), '')
    })
  }

  it('leaves a request without content to the first reader', async () => {
    const requests = () => [
      new Request('http://localhost/'),
      post(undefined, undefined, { 'content-length': '0' }),
      post('text/xml', '', { 'content-length': '0' }),
      post('text/xml', streamOf()),
      post(undefined, streamOf(''))
    ]
    for (const request of requests()) assert.equal(await firstOf(urlencoded(), json({ empty: {} }))(request), undefined)
    assert.deepEqual(await firstOf(json({ empty: {} }), urlencoded())(requests()[0]), {})
    await assert.rejects(firstOf(json({ schema }), urlencoded())(requests()[0]), { status: 422 })
  })

  it('makes no stream of content that declares its length', async () => {
    const asked = []
    class Counted extends Request { get body () { asked.push('body'); return super.body } }
    const headers = { 'content-type': 'text/xml', 'content-length': '4' }
    const request = new Counted('http://localhost/', { method: 'POST', headers, body: '<a/>' })
    await assert.rejects(read(request), { status: 415 })
    assert.deepEqual([asked, await request.text()], [[], '<a/>'])
  })

  it('leaves a request that other code has read to the first reader', async () => {
    const request = post('text/xml', '<a/>')
    await request.text()
    assert.equal(await read(request), undefined)
  })

  it('waits for a first byte no longer than the shortest timeout', async () => {
    const request = post('text/xml', new ReadableStream({}))
    await assert.rejects(firstOf(json({ timeout: 2 ** 40 }), text({ timeout: 20 }))(request), { status: 408 })
  })

  it('rejects anything but a Request', () =>
    assert.rejects(read({}), { name: 'TypeError', message: /^firstOf takes a Request/ }))

  for (const readers of [[], [json], [json(), undefined], [json(), () => {}]]) {
    it(`does not take ${inspect(readers)}`, () => {
      const message = 'firstOf takes readers of fast-body-parser/web, such as json()'
      assert.throws(() => firstOf(...readers), { name: 'TypeError', message })
    })
  }
})
