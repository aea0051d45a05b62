'use strict'

// The examples for options and functions that body-parser does not have: each
// is served, and asked what it prints to try.

const assert = require('node:assert/strict')
const { STATUS_CODES } = require('node:http')
const { serveExample, startExample } = require('../support/example')

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const YAML_TYPE = { 'content-type': 'application/yaml' }
const hasSource = JSON.parse('1', (key, value, context) => context?.source) === '1' // Node 22

const problem = (name, title, status,
  more) => ({ type: `https://example.com/problems/${name}`, title, status, code: name, ...more })

/** [what, headers, body, status, answer, path] of each example; the first one answers 2xx */
const examples = {
  numbers: [
    ['keeps numbers as they were sent', JSON_TYPE, '{"id":12345678901234567890,"amounts":[0.1,0.2,10]}', 200,
      { id: hasSource ? '12345678901234567890' : '12345678901234567000', total: '10.3' }],
    ['keeps signs and exponents', JSON_TYPE, '{"id":1e3,"amounts":[-0.05,-1]}', 200, { id: '1000', total: '-1.05' }]
  ],
  schema: [
    ['takes what fits', JSON_TYPE, '{"name":" Tobi ","email":"tobi@example.com"}', 201,
      { created: { name: 'Tobi', email: 'tobi@example.com', roles: [] } }],
    ['names what does not', JSON_TYPE, '{"name":"","email":"t@example.com","roles":["owner"]}', 422,
      { error: { status: 422, type: 'entity.invalid', issues: [/^name: /, /^roles\.0: /] } }],
    ['refuses no body', {}, undefined, 422, { error: { status: 422, type: 'entity.invalid', issues: [/undefined/] } }]
  ],
  'problem-details': [
    ['takes JSON', JSON_TYPE, '{"user":"tobi"}', 200, { received: { user: 'tobi' } }],
    ['tells what is not JSON', JSON_TYPE, '{"user":', 400,
      problem('entity.parse.failed', 'Bad Request', 400, { detail: /JSON/ })],
    ['tells what is too large', JSON_TYPE, `["${'x'.repeat(2000)}"]`, 413,
      problem('entity.too.large', STATUS_CODES[413], 413, { detail: 'request entity too large', limit: 1024 })],
    ['tells what no parser takes', { 'content-type': 'text/xml' }, '<user/>', 415,
      problem('media.type.unsupported', 'Unsupported Media Type', 415,
        { detail: 'unsupported media type "text/xml"' })],
    ['leaves other errors to the app', JSON_TYPE, '{"fail":true}', 500, { error: 'Error' }]
  ],
  yaml: [
    ['parses YAML', YAML_TYPE, 'user: tobi\nlikes: [tea, cake]\n', 200,
      { body: { user: 'tobi', likes: ['tea', 'cake'] } }],
    ['parses media types that are based on YAML', { 'content-type': 'application/openapi+yaml' }, 'a: 1', 200,
      { body: { a: 1 } }],
    ['refuses aliases', YAML_TYPE, 'a: &a [1]\nb: *a\n', 400,
      { error: { status: 400, type: 'entity.parse.failed', message: /aliases exceeded/ } }],
    ['refuses deep nesting', YAML_TYPE, '[{'.repeat(50_000), 400,
      { error: { status: 400, type: 'entity.parse.failed', message: /nesting exceeded/ } }],
    ['refuses invalid YAML', YAML_TYPE, 'a: [', 400,
      { error: { status: 400, type: 'entity.parse.failed', message: /./ } }]
  ],
  web: [
    ['reads JSON', JSON_TYPE, '{"user":"tobi"}', 200, { received: { user: 'tobi' } }],
    ['reads forms', FORM_TYPE, 'user[name]=tobi', 200, { received: { user: { name: 'tobi' } } }],
    ['refuses anything else', { 'content-type': 'text/xml' }, '<a/>', 415, {
      type: 'about:blank',
      title: 'Unsupported Media Type',
      status: 415,
      detail: /text\/xml/,
      code: 'media.type.unsupported'
    }],
    ['refuses what is too large', JSON_TYPE, 'x'.repeat(20_000), 413, {
      type: 'about:blank',
      title: 'Payload Too Large',
      status: 413,
      detail: 'request entity too large',
      code: 'entity.too.large',
      limit: 10_240
    }]
  ]
}

/** deepEqual, but that an expected RegExp matches a string. */
function assertLike (actual, expected) {
  const replaced = (value, place) => {
    if (value instanceof RegExp) return value.test(place) ? place : value
    if (typeof value !== 'object' || value === null) return value
    return Object.assign(Array.isArray(value) ? [] : {},
      Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, place?.[name])])))
  }
  assert.deepEqual(actual, replaced(expected, actual))
}

for (const [name, rows] of Object.entries(examples)) {
  describe(`examples/${name}.js`, () => {
    const served = serveExample(name)

    for (const [what, headers, body, status, answer, route = ''] of rows) {
      it(what, async () => {
        const response = await fetch(served.url + route,
          { method: 'POST', headers, ...(body !== undefined && { body }) })
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
