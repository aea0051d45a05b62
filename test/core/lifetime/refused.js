'use strict'

// Content that is refused behind what was read of it: nobody waits any longer for a promise of the app's, which may
// never settle.

const assert = require('node:assert/strict')
const http = require('node:http')
const bodyParser = require('fast-body-parser')
const web = require('fast-body-parser/web')
const serving = require('../../support/serving')
const schemaOf = require('../../support/schema-of')

const never = () => new Promise(() => {})
const SCHEMA = schemaOf(never)
const FORM = { 'content-type': 'multipart/form-data; boundary=x' }
const HEADER = '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'

const RECORDS = { 'content-type': 'application/x-ndjson' }

/** In one chunk, of undeclared length. */
const bodyOf = (head) => new ReadableStream({
  start (controller) {
    controller.enqueue(Buffer.from(head + ' '.repeat(10_000)))
    controller.close()
  }
})

async function loop (records) {
  for await (const record of records) assert.fail(record)
}

const ROWS = [
  ['a record that waits for its schema', 'ndjson', { limit: 1000, schema: SCHEMA }, RECORDS, '{}\n{}\n'],
  ['a form that waits for its filter', 'multipart', { limit: 1000, files: { f: { filter: never } } }, FORM, HEADER]
]

describe('content that is refused for its size', () => {
  for (const [what, name, options, headers, head] of ROWS) {
    const request = { method: 'POST', headers, duplex: 'half' }

    it(`ends ${what}, in the middleware`, async () => {
      const parser = bodyParser[name](options)
      const server = http.createServer((req, res) => parser(req, res, async (error) => {
        error ??= await loop(req.body).catch((error) => error)
        res.end(error.type)
      }))
      await serving(server, async (port) => {
        const answer = await fetch(`http://127.0.0.1:${port}`, { ...request, body: bodyOf(head) })
        assert.equal(await answer.text(), 'entity.too.large')
      })
    })

    it(`ends ${what}, of a Request`, async () => {
      const body = web[name](options)(new Request('http://localhost/', { ...request, body: bodyOf(head) }))
      await assert.rejects(name === 'ndjson' ? loop(body) : body, { type: 'entity.too.large' })
    })
  }
})
