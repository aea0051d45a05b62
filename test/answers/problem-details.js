'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { mock } = require('node:test')
const zlib = require('node:zlib')
const theirs = require('body-parser')
const createHttpError = require('http-errors')
const bodyParser = require('fast-body-parser')
const fetchFrom = require('../support/express')
const schemaOf = require('../support/schema-of')

const { json, problemDetails, refuseUnparsed } = bodyParser
const TYPE = { 'content-type': 'application/json' }
/** An error that the app means for clients. */
const fails = (fields) => ({ verify () { throw Object.assign(new Error('secret'), { status: 403, ...fields }) } })

/** The error handler of an app behind that of this package. */
const passOn = (error, req, res, next) => {
  const isFault = error instanceof TypeError || error.code === 'ERR_HTTP_HEADERS_SENT' // of the handler
  if (res.headersSent) res.end(isFault ? ' by a fault' : '')
  else res.status(500).end(isFault ? 'a fault' : 'passed on')
}

/** What is answered; 'passed on' if the handler leaves the error to the next one. */
async function ask (handlers, { headers = TYPE, body = '{', options } = {}) {
  const { status, headers: fields, text } =
    await fetchFrom([...handlers, problemDetails(options), passOn], { headers, body })
  if (text === 'passed on') return text
  assert.equal(fields.get('content-type'), 'application/problem+json')
  for (const name of ['Encoding', 'Language', 'Range']) assert.equal(fields.get(`Content-${name}`), null)
  assert.deepEqual([JSON.parse(text).status, JSON.parse(text).title], [status, http.STATUS_CODES[status]])
  return JSON.parse(text)
}

/** The whole answer to a body that fails. */
async function answer (parser, headers = {}) {
  const log = mock.method(console, 'error', () => {}) // faults are logged
  const response = await fetchFrom([parser, problemDetails()], { headers: { ...TYPE, ...headers }, body: '{}' })
  log.mock.restore()
  return { fields: Object.fromEntries(response.headers), text: response.text }
}

const about = (status, more) => ({ type: 'about:blank', title: http.STATUS_CODES[status], status, ...more })

describe('problemDetails', () => {
  for (const [what, handlers, request, expected] of [
    ['a syntax error', [json()], { body: '[1' },
      /^\{"type":"about:blank","title":"Bad Request","status":400,"detail":"[^"]*(\\"[^"]*)*","code":"entity.parse.failed"\}$/],
    ['a body over the limit', [json({ limit: 1 })], { body: '[1]' },
      about(413, { detail: 'request entity too large', code: 'entity.too.large', limit: 1 })],
    ['an unknown charset', [json()], { headers: { 'content-type': 'application/json; charset=x' } },
      about(415, { detail: 'unsupported charset "X"', code: 'charset.unsupported' })],
    ['what verify refuses', [json(fails())], {}, about(403, { detail: 'secret', code: 'entity.verify.failed' })],
    ['an error of the app that went through verify', [json(fails({ status: 401, type: 'own type' }))], {},
      about(401, { detail: 'secret', code: 'own type' })],
    ['a type that no parser takes', [json(), refuseUnparsed()], { headers: { 'content-type': 'text/xml' } },
      about(415, { detail: 'unsupported media type "text/xml"', code: 'media.type.unsupported' })],
    ['an empty body', [json({ empty: 'error' })], { body: '' },
      about(400, { detail: 'request entity empty', code: 'entity.empty' })]
  ]) {
    it(`answers ${what}`, async () => {
      const answer = await ask(handlers, request)
      if (expected instanceof RegExp) assert.match(JSON.stringify(answer), expected)
      else assert.deepEqual(answer, expected)
    })
  }

  it('says which content codings are known', async () => {
    for (const [options, expected] of [[{},
      Object.keys(zlib).includes('createZstdDecompress') ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br'],
    [{ inflate: false }, 'identity']]) {
      const { fields } = await answer(json(options), { 'content-encoding': 'x' })
      assert.equal(fields['accept-encoding'], expected)
    }
  })

  it('answers a corrupt body, which has no type', async () => {
    const answer = await ask([json()], { headers: { ...TYPE, 'content-encoding': 'gzip' }, body: 'junk' })
    assert.deepEqual(answer, about(400, { detail: answer.detail }))
    const { type } = await ask([json()],
      { headers: { ...TYPE, 'content-encoding': 'gzip' }, body: 'junk', options: { base: 'x:' } })
    assert.equal(type, 'about:blank')
  })

  it('says nothing that expose forbids, and logs what has a status from 500 on', async () => {
    const log = mock.method(console, 'error', () => {})
    assert.deepEqual(await ask([json(fails({ status: 503, type: 'secret' }))],
      { options: { base: 'https://example.com/' } }), about(503))
    assert.deepEqual(await ask([json(fails({ status: 500, limit: 5, issues: [{ message: 'secret' }] }))], {}),
      about(500))
    assert.deepEqual(await ask([json(), (error, req, res, next) => next(Object.assign(error, { expose: false }))], {}),
      about(400))
    assert.deepEqual(await ask([(req, res, next) => { req.setEncoding('utf8'); next() }, json()], { body: '{}' }),
      about(500))
    log.mock.restore()
    assert.equal(log.mock.callCount(), process.env.NODE_ENV === 'test' ? 0 : 3)
  })

  it('makes URIs of a base', async () => {
    const options = { base: 'https://example.com/problems#' }
    assert.equal((await ask([json()], { options })).type, 'https://example.com/problems#entity.parse.failed')
    assert.equal((await ask([json(fails({ type: 'a/b c?' }))], { options })).type,
      'https://example.com/problems#a%2Fb%20c%3F')
  })

  it('points at what a schema refuses', async () => {
    const issues = [
      { message: 'one', path: ['a', 0, { key: 'b/c~d é' }] },
      { message: 'two', path: ['\ud800/'] },
      { message: 'three', input: 'hidden' },
      { message: 'four', path: [Symbol('s'), '', null] },
      { message: 5, path: ['x'.repeat(998)] },
      { message: 'six', path: ['x'.repeat(999)] }
    ]
    const schema = schemaOf(() => ({ issues }))
    assert.deepEqual(await ask([json({ schema })], { body: '{}' }), about(422, {
      detail: 'request entity invalid: a.0.b/c~d é: one',
      code: 'entity.invalid',
      errors: [
        { detail: 'one', pointer: '#/a/0/b~1c~0d%20%C3%A9' },
        { detail: 'two', pointer: '#/%EF%BF%BD~1' },
        { detail: 'three', pointer: '#' },
        { detail: 'four', pointer: '#/Symbol(s)//null' },
        { detail: 5, pointer: `#/${'x'.repeat(998)}` },
        { detail: 'six' } // its pointer would have more than 1,000 characters
      ]
    }))
  })

  for (const [what, fields] of [
    ['type', { type: Symbol('type') }],
    ['limit', { limit: 5n }],
    ['issues', { issues: 'none' }],
    ['headers', { headers: { 'Retry-After': undefined } }]
  ]) {
    it(`answers an error of the app whose ${what} cannot be sent`, async () => {
      assert.equal((await ask([json(fails(fields))], { options: { base: '/' } })).status, 403)
    })
  }

  it('removes all fields of the content that the app had begun, and no other', async () => {
    const own = { 'Content-Security-Policy': "default-src 'none'", 'X-Request-Id': '1' }
    const begin = (req, res, next) => {
      const of = ['Content-Digest', 'Content-Disposition', 'Content-Encoding', 'Content-Language', 'Content-Location',
        'Content-MD5', 'Content-Range', 'ETag', 'Last-Modified', 'Repr-Digest', 'Trailer']
      res.set({ ...own, ...Object.fromEntries(of.map((name) => [name, 'x'])), 'Transfer-Encoding': 'chunked' })
      next()
    }
    const { fields, text } = await answer((req, res, next) => begin(req, res, () => json(fails({}))(req, res, next)))
    const kept = Object.keys(fields)
      .filter((name) => !['connection', 'date', 'etag', 'keep-alive', 'x-powered-by'].includes(name)).sort()
    assert.deepEqual([kept, fields['content-length']],
      [['content-length', 'content-security-policy', 'content-type', 'x-request-id'], String(text.length)])
    assert.notEqual(fields.etag, 'x')
  })

  it('answers a status that is not an error, and one that is unknown, as 500', async () => {
    for (const status of [200, 302, 499]) assert.equal((await ask([json(fails({ status }))], {})).status, 500)
    const odd = Object.defineProperty(new Error('no'), 'status', { get: () => Symbol('422'), set () {} })
    assert.equal(JSON.parse((await answer(json({ verify () { throw odd } }))).text).status, 500)
  })

  for (const [what, handlers] of [
    ['an error of the app', [(req, res, next) => next(new Error('own'))]],
    ['an error of http-errors',
      [(req, res, next) => next(createHttpError(400, 'own', { type: 'entity.parse.failed' }))]],
    ['an error of body-parser', [theirs.json()]],
    ['a value that is not an error', [(req, res, next) => next('own')]],
    ['an error after the response has begun',
      [(req, res, next) => { res.writeHead(200); res.write('passed on'); next() }, json()]]
  ]) {
    it(`passes on ${what}`, async () => assert.equal(await ask(handlers), 'passed on'))
  }

  it('is an error handler, and checks its options', () => {
    for (const options of [undefined, null, {}, { base: undefined }, { base: '/problems/' }]) {
      const handler = problemDetails(options)
      assert.deepEqual([handler.name, handler.length], ['problemDetails', 4])
    }
    assert.throws(() => problemDetails({ base: 5 }), { name: 'TypeError', message: 'option base must be a string' })
    assert.throws(() => problemDetails({ bases: '' }),
      { name: 'TypeError', message: 'problemDetails takes no option but base' })
    for (const options of [5, 'base', true, () => {}, new http.IncomingMessage(null)]) {
      assert.throws(() => problemDetails(options),
        { name: 'TypeError', message: 'problemDetails takes no option but base' })
    }
  })
})
