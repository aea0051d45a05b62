'use strict'

// The framework reads each body before it calls the function, with the body-parser beside it: with ours, under
// overrides.

const { both, one } = require('./support/both')
const { titleOf } = require('../support/sides')

const json = { type: 'application/json', sent: '{"a":1}' }
const vendor = { type: 'application/vnd.api+json', sent: '{"a":1}' }
const form = { type: 'application/x-www-form-urlencoded', sent: 'a[b]=1' }
const text = { type: 'text/plain', sent: 'text' }
const large = { type: 'text/plain', sent: 'x'.repeat(2000) }
const broken = { type: 'application/vnd.api+json', sent: '[1' }

const parsed = (it, { type, sent, chunked }, body) => ({
  it,
  request: { headers: { 'content-type': type }, pieces: [sent], chunked },
  answer: { status: 200, body: { body, rawBody: sent } }
})
const refused = (it, message, status, error) => ({ ...parsed(it, message), answer: { status, body: { error } } })

const alike = [
  parsed('gives JSON', json, { a: 1 }),
  parsed('gives JSON of a chunked request', { ...json, chunked: true }, { a: 1 }),
  parsed('gives a form', form, { a: { b: '1' } }),
  parsed('gives a text', text, 'text'),
  parsed('gives an empty text', { ...text, sent: '' }, '')
]

/** The parsers do as they were told: nothing that the framework has read. */
const left = [
  ...alike,
  parsed('leaves as bytes a type that the framework does not parse', vendor, Buffer.from(vendor.sent).toJSON()),
  parsed('leaves a body over its limit', large, large.sent)
]

const buffered = [
  ...alike,
  parsed('parses a type that the framework does not parse', vendor, { a: 1 }),
  refused('refuses a body over its limit', large, 413, 'entity.too.large'),
  refused('refuses a broken body', broken, 400, 'entity.parse.failed')
]

describe(titleOf('@google-cloud/functions-framework'), () => {
  both('functions-framework.js', left)

  describe('buffered: true', () => one('ours', 'functions-framework.js', buffered, { BUFFERED: 'true' }))
})
