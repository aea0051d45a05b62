'use strict'

// The examples for options and functions that body-parser does not have: each
// is served, and asked what it prints to try.

const assert = require('node:assert/strict')
const { createHash } = require('node:crypto')
const { STATUS_CODES } = require('node:http')
const zlib = require('node:zlib')
const { serveExample, startExample } = require('../support/example')

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const hasSource = JSON.parse('1', (key, value, context) => context?.source) === '1' // Node 22

const digestOf = (bytes) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
const coded = zlib.gzipSync('{"a":1}')
const gzip = { ...JSON_TYPE, 'content-encoding': 'gzip' }
const noDigest = { error: { status: 400, type: 'entity.verify.failed', message: 'no Content-Digest of sha-256 or sha-512' } }
const wrongDigest = { error: { status: 400, type: 'entity.verify.failed', message: 'wrong Content-Digest' } }
const problem = (name, title, status, more) => ({ type: `https://example.com/problems/${name}`, title, status, code: name, ...more })

/** [what, headers, body, status, answer, path] of each example; the first one answers 2xx */
const examples = {
  promise: [
    ['reads JSON', { ...JSON_TYPE, authorization: 'Bearer secret' }, '{"user":"tobi"}', 200, { received: { user: 'tobi' } }],
    ['reads a form', { ...FORM_TYPE, authorization: 'Bearer secret' }, 'user=tobi', 200, { received: { user: 'tobi' } }],
    ['reads nothing else', { 'content-type': 'text/xml', authorization: 'Bearer secret' }, '<a/>', 415, { error: 'JSON or a form, please' }],
    ['refuses what is not JSON', { ...JSON_TYPE, authorization: 'Bearer secret' }, '5', 400, { error: /"5" is not valid JSON/ }],
    ['asks who it is first', JSON_TYPE, '{"user":"tobi"}', 401, { error: 'who are you?' }]
  ],
  'request-limit': [
    ['takes small bodies', JSON_TYPE, '[1]', 200, { plan: 'free', bytes: 3 }],
    ['refuses larger ones', JSON_TYPE, `["${'x'.repeat(2000)}"]`, 413, { error: { status: 413, type: 'entity.too.large', limit: 1024 } }],
    ['takes larger ones of some', { ...JSON_TYPE, authorization: 'Bearer pro' }, `["${'x'.repeat(2000)}"]`, 200, { plan: 'pro', bytes: 2004 }],
    ['takes larger ones on a route', JSON_TYPE, `["${'x'.repeat(2000)}"]`, 200, { plan: 'free', bytes: 2004 }, 'avatar']
  ],
  numbers: [
    ['keeps numbers as they were sent', JSON_TYPE, '{"id":12345678901234567890,"amounts":[0.1,0.2,10]}', 200,
      { id: hasSource ? '12345678901234567890' : '12345678901234567000', total: '10.3' }],
    ['keeps signs and exponents', JSON_TYPE, '{"id":1e3,"amounts":[-0.05,-1]}', 200, { id: '1000', total: '-1.05' }]
  ],
  'content-digest': [
    ['takes a right digest of a compressed body', { ...gzip, 'content-digest': digestOf(coded) }, coded, 200, { bytes: coded.length, body: { a: 1 } }],
    ['takes a right digest', { ...JSON_TYPE, 'content-digest': digestOf('{}') }, '{}', 200, { bytes: 2, body: {} }],
    ['refuses the digest of what was compressed', { ...gzip, 'content-digest': digestOf('{"a":1}') }, coded, 400, wrongDigest],
    ['refuses one of two', { ...gzip, 'content-digest': `${digestOf(coded)}, sha-512=:AAAA:` }, coded, 400, wrongDigest],
    ['wants one that it knows', { ...gzip, 'content-digest': 'md5=:AAAA:' }, coded, 400, noDigest],
    ['wants one', gzip, coded, 400, noDigest]
  ],
  empty: [
    ['greets', JSON_TYPE, '{"name":"tobi"}', 200, { hello: 'tobi', body: { name: 'tobi' } }],
    ['greets nobody', {}, undefined, 200, { hello: 'nobody', body: {} }],
    ['greets nobody with an empty body', JSON_TYPE, '', 200, { hello: 'nobody', body: {} }],
    ['refuses an empty body', JSON_TYPE, '', 400, { error: { status: 400, type: 'entity.empty', message: 'request entity empty' } }, 'strict']
  ],
  filters: [
    ['takes dots and commas', FORM_TYPE, 'price.min=5&price.max=9&colors=red,blue&page=1&page=2', 200, { filter: { price: { min: '5', max: '9' }, colors: ['red', 'blue'], page: '2' } }]
  ],
  schema: [
    ['takes what fits', JSON_TYPE, '{"name":" Tobi ","email":"tobi@example.com"}', 201, { created: { name: 'Tobi', email: 'tobi@example.com', roles: [] } }],
    ['names what does not', JSON_TYPE, '{"name":"","email":"t@example.com","roles":["owner"]}', 422, { error: { status: 422, type: 'entity.invalid', issues: [/^name: /, /^roles\.0: /] } }],
    ['refuses no body', {}, undefined, 422, { error: { status: 422, type: 'entity.invalid', issues: [/undefined/] } }]
  ],
  'problem-details': [
    ['takes JSON', JSON_TYPE, '{"user":"tobi"}', 200, { received: { user: 'tobi' } }],
    ['tells what is not JSON', JSON_TYPE, '{"user":', 400, problem('entity.parse.failed', 'Bad Request', 400, { detail: /JSON/ })],
    ['tells what is too large', JSON_TYPE, `["${'x'.repeat(2000)}"]`, 413, problem('entity.too.large', STATUS_CODES[413], 413, { detail: 'request entity too large', limit: 1024 })],
    ['tells what no parser takes', { 'content-type': 'text/xml' }, '<user/>', 415, problem('media.type.unsupported', 'Unsupported Media Type', 415, { detail: 'unsupported media type "text/xml"' })],
    ['leaves other errors to the app', JSON_TYPE, '{"fail":true}', 500, { error: 'Error' }]
  ],
  web: [
    ['reads JSON', JSON_TYPE, '{"user":"tobi"}', 200, { received: { user: 'tobi' } }],
    ['reads forms', FORM_TYPE, 'user[name]=tobi', 200, { received: { user: { name: 'tobi' } } }],
    ['reads nothing else', { 'content-type': 'text/xml' }, '<a/>', 200, { received: null }],
    ['refuses what is too large', JSON_TYPE, 'x'.repeat(20_000), 413, { error: { status: 413, type: 'entity.too.large', message: 'request entity too large' } }]
  ]
}

/** deepEqual, but that an expected RegExp matches a string. */
function assertLike (actual, expected) {
  const replaced = (value, place) => {
    if (value instanceof RegExp) return value.test(place) ? place : value
    if (typeof value !== 'object' || value === null) return value
    return Object.assign(Array.isArray(value) ? [] : {}, Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, place?.[name])])))
  }
  assert.deepEqual(actual, replaced(expected, actual))
}

for (const [name, rows] of Object.entries(examples)) {
  describe(`examples/${name}.js`, () => {
    const served = serveExample(name)

    for (const [what, headers, body, status, answer, route = ''] of rows) {
      it(what, async () => {
        const response = await fetch(served.url + route, { method: 'POST', headers, ...(body !== undefined && { body }) })
        const text = await response.text()
        assert.equal(response.status, status, text)
        assertLike(JSON.parse(text), answer)
      })
    }

    it('says how to try it', () => startExample(name, async (output) => {
      const [, printed] = /^Listening on (\S+) - try:\n\n[^]*curl /.exec(output)
      const [, headers, body, status] = rows[0]
      const response = await fetch(printed, { method: 'POST', headers, body })
      assert.equal(response.status, status)
      await response.text()
    }))
  })
}
