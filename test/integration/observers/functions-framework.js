'use strict'

// The framework reads each body before it calls the function, with the
// body-parser beside it: with ours, under overrides.

const { both, one } = require('./support/both')
const { titleOf } = require('./support/sides')

const json = { type: 'application/json', sent: '{"a":1}' }
const vendor = { type: 'application/vnd.api+json', sent: '{"a":1}' }
const form = { type: 'application/x-www-form-urlencoded', sent: 'a[b]=1' }
const text = { type: 'text/plain', sent: 'text' }
const bytes = { type: 'application/octet-stream', sent: 'ab' }
const large = { type: 'text/plain', sent: 'x'.repeat(2000) }
const broken = { type: 'application/vnd.api+json', sent: '[1' }

const jsonOf = (buffer) => Buffer.from(buffer).toJSON()

/** The parsers do as they were told: nothing that the framework has read. */
const left = [
  parsed('leaves the JSON that it was given', json, { a: 1 }),
  parsed('leaves the JSON of a chunked request', { ...json, chunked: true }, { a: 1 }),
  parsed('leaves a form', form, { a: { b: '1' } }),
  parsed('leaves a text', text, 'text'),
  parsed('leaves an empty text', { ...text, sent: '' }, ''),
  parsed('leaves bytes', bytes, jsonOf('ab')),
  parsed('leaves as bytes a type that the framework does not parse', vendor, jsonOf('{"a":1}')),
  parsed('leaves a body over its limit', large, large.sent),
  parsed('leaves a broken body', broken, jsonOf('[1'))
]

const buffered = [
  ...left.slice(0, 6).map((row) => ({ ...row, it: row.it.replace('leaves', 'parses') })),
  parsed('parses a type that the framework does not parse', vendor, { a: 1 }),
  refused('refuses a body over its limit', large, 413, 'entity.too.large'),
  refused('refuses a broken body', broken, 400, 'entity.parse.failed')
]

function parsed (it, { type, sent, chunked }, body) {
  const request = { headers: { 'content-type': type }, pieces: [sent], chunked }
  return { it, request, answer: { status: 200, body: { body, rawBody: sent } } }
}

function refused (it, message, status, error) {
  return { ...parsed(it, message), answer: { status, body: { error } } }
}

describe(titleOf('@google-cloud/functions-framework'), () => {
  both('functions-framework.js', left)

  describe('buffered: true', () => {
    one('ours', 'functions-framework.js', buffered, { BUFFERED: 'true' })
  })
})
