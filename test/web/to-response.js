'use strict'

const assert = require('node:assert/strict')
const { STATUS_CODES } = require('node:http')
const web = require('fast-body-parser/web')
const schemaOf = require('../support/schema-of')
const { post: postBody } = require('../support/web-request')

const { firstOf, json, toResponse, urlencoded } = web
const schema = schemaOf(() => ({ issues: [{ message: 'no', path: ['a', { key: 'b/~' }] }] }))
/** A parser that passes on an error of the app's. */
const fails = (fields) => json({ verify () { throw Object.assign(new Error('secret'), fields) } })

const post = (body, headers) => postBody(body, { 'content-type': 'application/json', ...headers })

/** @returns the response to the error of a reader, and what it says */
async function answer (read, request, options) {
  const response = await read(request).then(assert.fail, (error) => toResponse(error, options))
  assert.ok(response instanceof Response)
  assert.equal(response.headers.get('content-type'), 'application/problem+json')
  return [response, await response.json()]
}

const about = (status, more) => ({ type: 'about:blank', title: STATUS_CODES[status], status, ...more })

describe('toResponse of fast-body-parser/web', () => {
  const own = console.error
  const { NODE_ENV } = process.env
  let logged

  beforeEach(() => {
    logged = []
    process.env.NODE_ENV = 'production'
    console.error = (text) => logged.push(text)
  })

  afterEach(() => {
    console.error = own
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  })

  for (const [what, read, request, expected, options] of [
    ['what a schema refuses', json({ schema }), post('{}'),
      about(422, {
        detail: 'invalid request body: a["b/~"]: no',
        code: 'entity.invalid',
        errors: [{ detail: 'no', pointer: '#/a/b~1~0' }]
      })],
    ['an error of the app with a status', fails({ status: 401, type: 'own type' }), post('{}'),
      about(401, { detail: 'secret', code: 'own type' })],
    ['a type that has a URI', json({ limit: 1 }), post('[1]'),
      {
        ...about(413, { detail: 'request entity too large', code: 'entity.too.large', limit: 1 }),
        type: 'https://example.com/entity.too.large'
      },
      { base: 'https://example.com/' }],
    ['an error of the app without a status', fails({}), post('{}'), about(403)],
    ['an error with a status that is none', fails({ status: 'x' }), post('{}'), about(500)]
  ]) {
    it(`answers ${what}`, async () => {
      const [response, problem] = await answer(read, request, options)
      if (expected.errors) delete problem.detail
      const { detail, ...others } = expected
      assert.deepEqual(problem, expected.errors ? others : expected)
      assert.equal(response.status, expected.status)
      assert.equal(logged.length, response.status < 500 ? 0 : 1, logged.join())
    })
  }

  it('says what is taken', async () => {
    const [{ headers, status }] = await answer(firstOf(json(), urlencoded()), post('x', { 'content-type': 'text/xml' }))
    assert.deepEqual([status, headers.get('accept')], [415, 'application/json, application/x-www-form-urlencoded'])
    const [{ headers: others }] = await answer(json({ inflate: false }), post('x', { 'content-encoding': 'x' }))
    assert.equal(others.get('accept-encoding'), 'identity')
  })

  it('has the fields that an error asks for, but none that is invalid, or of another message', async () => {
    const fields = {
      'Retry-After': 5,
      Link: ['<a>', '<b>'],
      'no name': 'x',
      X: 'a\nb',
      Y: [],
      Z: null,
      'Content-Encoding': 'gzip',
      'content-length': '5',
      'Content-Type': 'text/html',
      'Transfer-Encoding': 'chunked',
      Connection: 'Keep-Alive'
    }
    const [{ headers }] = await answer(fails({ status: 429, headers: fields }), post('{}'))
    assert.deepEqual(Object.fromEntries(headers), {
      'content-type': 'application/problem+json',
      link: '<a>, <b>',
      'retry-after': '5'
    })
  })

  it('answers 500 to what is of no reader, tells nothing of it, and logs it', async () => {
    for (const error of [new Error('secret'), undefined, 'secret']) {
      const response = toResponse(error)
      assert.deepEqual([response.status, await response.json()], [500, about(500)])
      assert.deepEqual(logged.splice(0), [error])
    }
    process.env.NODE_ENV = 'test'
    toResponse(new Error('secret'))
    assert.deepEqual(logged, [])
  })

  it('takes no option but base', () => {
    assert.throws(() => toResponse(new Error('x'), { bas: '' }),
      { name: 'TypeError', message: 'toResponse takes no option but base' })
    assert.throws(() => toResponse(new Error('x'), { base: 5 }),
      { name: 'TypeError', message: 'option base must be a string' })
  })
})
