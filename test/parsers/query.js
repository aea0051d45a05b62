'use strict'

// HTTP QUERY (RFC 10008): a safe method whose requests have content.

const assert = require('node:assert/strict')
const http = require('node:http')
const bodyParser = require('fast-body-parser')
const exchange = require('../support/exchange')
const { messageOf } = require('../support/lanes')
const { typed } = require('../support/outcome')
const { table } = require('../support/table')

const TYPE = 'application/json'
const isKnown = http.METHODS.includes('QUERY')

;(isKnown ? describe : describe.skip)('QUERY', () => {
  const row = { method: 'QUERY', parser: 'json', headers: { 'Content-Type': TYPE }, body: '{"q":"tobi"}' }
  table([
    { it: 'has JSON', ...row, expect: { body: { q: 'tobi' } } },
    { it: 'has JSON in chunks', ...row, chunked: true, expect: { body: { q: 'tobi' } } }
  ])

  it('is refused without a type, and with another one, behind refuseUnparsed', async () => {
    const parser = bodyParser.json()
    const refuse = bodyParser.refuseUnparsed()
    const stack = (req, res, next) => parser(req, res, (error) => error ? next(error) : refuse(req, res, next))
    for (const [type, expected] of [[undefined, 415], ['text/plain', 415], [TYPE, undefined]]) {
      const message = messageOf({ method: 'QUERY', headers: { 'Content-Type': type }, body: '[1]' })
      const { error, body } = await exchange(stack, message)
      assert.equal(error.status, expected)
      if (expected === undefined) assert.deepEqual(body, typed([1]))
    }
  })
})
