'use strict'

const assert = require('node:assert/strict')
const { createParser, raw } = require('fast-body-parser')
const { outcomeOfAll } = require('../support/lane')
const { table } = require('../support/table')

const BYTES = { 'Content-Type': 'application/octet-stream' }
const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

function row (it, body, expect, options, more) {
  return { it, parser: 'raw', options, headers: BYTES, body, expect, ...more }
}

describe('raw()', () => {
  table([
    row('puts the bytes into req.body', every, { body: every }),
    row('puts the bytes of a chunked body into req.body', every, { body: every }, {}, { chunked: true }),
    row('puts an empty Buffer into req.body for an empty body', '', { body: Buffer.alloc(0) }),
    row('puts an empty Buffer into req.body for an empty chunked body', '', { body: Buffer.alloc(0) }, {},
      { chunked: true }),
    row('keeps a byte order mark', '\ufeffa', { body: Buffer.from('\ufeffa') }),
    row('ignores the charset of the header', every, { body: every }, {}, {
      headers: { 'Content-Type': 'application/octet-stream; charset=nonsense' }
    }),
    row('ignores defaultCharset', 'a', { body: Buffer.from('a') }, { defaultCharset: 'nonsense' }),
    row('accepts the media types of the option type', 'a', { body: Buffer.from('a') }, { type: '*/*' },
      { headers: { 'Content-Type': 'image/png' } }),
    row('puts a large body into req.body', Buffer.alloc(120_000, 'abc'), { body: Buffer.alloc(120_000, 'abc') },
      { limit: '1mb' })
  ])

  for (const [what, parser] of Object.entries({
    'raw()': raw(),
    'createParser({ charset: false })': createParser({ type: 'bin', charset: false, parse: (bytes) => bytes })
  })) {
    it(`puts bytes into req.body that no later request of ${what} overwrites`, async () => {
      const bodies = []
      const keep = (req, res, next) => parser(req, res, (error) => {
        bodies.push(req.body)
        next(error)
      })
      for (const body of ['first', 'other']) await outcomeOfAll(keep, BYTES['Content-Type'], body)
      const half = bodies.length / 2
      assert.deepEqual(bodies.map(String), bodies.map((_, at) => at < half ? 'first' : 'other'))
    })
  }
})
