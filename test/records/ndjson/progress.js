'use strict'

// `count` and `received`: how far a loop is.

const assert = require('node:assert/strict')
const { gzipSync } = require('node:zlib')
const { ndjson } = require('../../../')
const web = require('fast-body-parser/web')
const { loop, NDJSON } = require('../../support/loop')

const TEXT = '{"a":1}\n\n[2]\n1\n{}'
const collected = { onError: 'collect' }

describe('a loop over records', () => {
  it('counts those that it has got, wrong ones included', async () => {
    for (const [options, counts, last] of [[{ strict: false }, [1, 2, 3, 4], 4], [collected, [1, 2, 3, 4], 4],
      [{}, [1, 2], 2], [{ max: 1 }, [1], 1]]) {
      const seen = []
      let records
      await loop(ndjson(options), TEXT, {
        async handle ({ body }) {
          records = body
          assert.deepEqual([body.count, body.received], [0, 0])
          for await (const item of body) if (item) seen.push(body.count)
        }
      })
      assert.deepEqual([seen, records.count], [counts, last])
    }
  })

  it('tells the bytes that were read: as they come, and before decompression', async () => {
    const coded = gzipSync(TEXT)
    for (const [body, headers] of [[Buffer.from(TEXT), {}], [coded, { 'Content-Encoding': 'gzip' }]]) {
      const seen = []
      await loop(ndjson({ strict: false }), body, {
        headers,
        async handle ({ body }) {
          for await (const item of body) if (item) seen.push(body.received)
        }
      })
      assert.deepEqual(seen, Array(4).fill(body.length))
    }
  })

  const headers = { 'content-type': NDJSON, 'content-length': '8' }
  const body = Buffer.from('[1]\n[2]\n')
  const others = {
    'a body that other code has read': () => ndjson({ buffered: true }).read({ headers, body }, {}),
    'a Request': () => web.ndjson()(new Request('http://test', { method: 'POST', headers, body }))
  }
  for (const [what, read] of Object.entries(others)) {
    it(`tells so of ${what}`, async () => {
      const records = await read()
      assert.deepEqual([records.count, records.received], [0, 0])
      for await (const item of records) assert.equal(item.length, 1)
      assert.deepEqual([records.count, records.received], [2, 8])
    })
  }
})
