'use strict'

// Content that is refused behind what was read of it: nobody waits any longer for a promise of the app's, which may
// never settle.

const assert = require('node:assert/strict')
const bodyParser = require('fast-body-parser')
const web = require('fast-body-parser/web')
const schemaOf = require('../../support/schema-of')
const { upload } = require('../../support/upload')
const { postPieces } = require('../../support/web-request')

const never = () => new Promise(() => {})
const SCHEMA = schemaOf(never)
const FORM = { 'Content-Type': 'multipart/form-data; boundary=x' }
const HEADER = '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'

const RECORDS = { 'Content-Type': 'application/x-ndjson' }

const bytesOf = (head) => Buffer.from(head + ' '.repeat(10_000))

async function loop (records) {
  for await (const record of records) assert.fail(record)
}

const ROWS = [
  ['a record that waits for its schema', 'ndjson', { limit: 1000, schema: SCHEMA }, RECORDS, '{}\n{}\n'],
  ['a form that waits for its filter', 'multipart', { limit: 1000, files: { f: { filter: never } } }, FORM, HEADER]
]

describe('content that is refused for its size', () => {
  for (const [what, name, options, headers, head] of ROWS) {
    it(`ends ${what}, in the middleware`, async () => {
      const seen = await upload(bodyParser[name](options), bytesOf(head), {
        headers,
        chunked: true,
        handle: ({ body }, res, error) => error ?? loop(body)
      })
      assert.equal((seen.error ?? seen.thrown).type, 'entity.too.large')
    })

    it(`ends ${what}, of a Request`, async () => {
      const body = web[name](options)(postPieces([bytesOf(head)], headers))
      await assert.rejects(name === 'ndjson' ? loop(body) : body, { type: 'entity.too.large' })
    })
  }
})
