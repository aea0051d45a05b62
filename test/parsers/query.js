'use strict'

// HTTP QUERY (RFC 10008): a safe method whose requests have content.

const assert = require('node:assert/strict')
const http = require('node:http')
const bodyParser = require('fast-body-parser')
const exchange = require('../support/exchange')
const { messagesOf } = require('../support/lanes')
const { typed } = require('../support/outcome')
const { table } = require('../support/table')

const isKnown = http.METHODS.includes('QUERY')
const headers = { 'Content-Type': 'application/json' }

;(isKnown ? describe : describe.skip)('QUERY', () => {
  table([
    { it: 'has JSON', method: 'QUERY', parser: 'json', headers, body: '{"q":"tobi"}', expect: { body: { q: 'tobi' } } },
    { it: 'has JSON in chunks',
      method: 'QUERY',
      parser: 'json',
      headers,
      body: '{"q":"tobi"}',
      chunked: true,
      expect: {
        body: { q: 'tobi' }
      } },
    { it: 'has a form',
      method: 'QUERY',
      parser: 'urlencoded',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded'
      },
      body: 'q=tobi',
      expect: { body: { q: 'tobi' } } },
    { it: 'has text',
      method: 'QUERY',
      parser: 'text',
      headers: {
        'Content-Type': 'text/plain'
      },
      body: 'select',
      expect: { body: 'select' } },
    { it: 'is refused over the limit',
      method: 'QUERY',
      parser: 'json',
      options: {
        limit: 1
      },
      headers,
      body: '[1]',
      arrivals: ['together'],
      expect: { error: { status: 413, type: 'entity.too.large' } } }
  ])

  it('is refused without a type, and with another one, behind refuseUnparsed', async () => {
    const parser = bodyParser.json()
    const refuse = bodyParser.refuseUnparsed()
    const stack = (req, res, next) => parser(req, res, (error) => error ? next(error) : refuse(req, res, next))
    for (const [type, expected] of [[undefined, 415], ['text/plain', 415], ['application/json', undefined]]) {
      for (const [way, message] of Object.entries(messagesOf({
        headers: type === undefined ? {} : { 'Content-Type': type },
        body: '[1]'
      }))) {
        const { error, body } = await exchange(stack, { ...message, head: message.head.replace('POST', 'QUERY') })
        assert.equal(error.status, expected, way)
        if (expected === undefined) assert.deepEqual(body, typed([1]), way)
      }
    }
  })
})
