'use strict'

// HTTP QUERY (RFC 10008): a safe method whose requests have content.

const assert = require('node:assert/strict')
const http = require('node:http')
const bodyParser = require('fast-body-parser')
const exchange = require('../support/exchange')
const { messageOf } = require('../support/lanes')
const { typed } = require('../support/outcome')
const { table } = require('../support/table')
const TYPES = require('../support/types')

const isKnown = http.METHODS.includes('QUERY')

;(isKnown ? describe : describe.skip)('QUERY', () => {
  const row = (it, parser, body, value, more) => {
    const headers = { 'Content-Type': TYPES[parser] }
    return { it, method: 'QUERY', parser, headers, body, expect: { body: value }, ...more }
  }
  table([
    row('has JSON', 'json', '{"q":"tobi"}', { q: 'tobi' }),
    row('has JSON in chunks', 'json', '{"q":"tobi"}', { q: 'tobi' }, { chunked: true }),
    row('has a form', 'urlencoded', 'q=tobi', { q: 'tobi' }),
    row('has text', 'text', 'select', 'select'),
    row('is refused over the limit', 'json', '[1]', undefined, {
      options: { limit: 1 },
      arrivals: ['together'],
      expect: { error: { status: 413, type: 'entity.too.large' } }
    })
  ])

  it('is refused without a type, and with another one, behind refuseUnparsed', async () => {
    const parser = bodyParser.json()
    const refuse = bodyParser.refuseUnparsed()
    const stack = (req, res, next) => parser(req, res, (error) => error ? next(error) : refuse(req, res, next))
    for (const [type, expected] of [[undefined, 415], ['text/plain', 415], ['application/json', undefined]]) {
      for (const chunked of [false, true]) {
        const message = messageOf({ method: 'QUERY', headers: { 'Content-Type': type }, body: '[1]', chunked })
        const { error, body } = await exchange(stack, message)
        assert.equal(error.status, expected)
        if (expected === undefined) assert.deepEqual(body, typed([1]))
      }
    }
  })
})
