'use strict'

// Whatever the app awaits is taken for a promise, as `await` takes it: also if its `then` returns nothing.

const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const bodyParser = require('fast-body-parser')
const web = require('fast-body-parser/web')
const schemaOf = require('../../support/schema-of')

const later = (value) => ({ then (resolve) { setImmediate(resolve, value) } })
const refused = () => ({ then (resolve, reject) { setImmediate(reject, new Error('no')) } })

const TYPES = {
  json: 'application/json',
  multipart: 'multipart/form-data; boundary=x',
  ndjson: 'application/x-ndjson'
}
const BODIES = {
  json: '[1]',
  multipart: '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n1\r\n--x--',
  ndjson: '{}\n'
}

/** Option -> its value, by what the app gives. */
const ROWS = {
  'verify of json': ['json', (give) => ({ verify: () => give() })],
  'parse of json': ['json', (give) => ({ parse: () => give([1]) })],
  'schema of json': ['json', (give) => ({ schema: schemaOf(() => give({ value: [1] })) })],
  'filter of multipart': ['multipart', (give) => ({ files: { f: { filter: () => give(true) } } })],
  'store of multipart': ['multipart', (give) => ({ store: () => give('stored') })],
  'schema of multipart': ['multipart', (give) => ({ schema: schemaOf(() => give({ value: {} })) })],
  'schema of ndjson': ['ndjson', (give) => ({ schema: schemaOf(() => give({ value: {} })) })]
}

async function drain (loop) {
  for await (const record of loop) assert.ok(record)
}

const entries = {
  async middleware (name, options) {
    const headers = { 'content-type': TYPES[name], 'content-length': String(BODIES[name].length) }
    const req = Object.assign(Readable.from([Buffer.from(BODIES[name])]), { headers })
    await bodyParser[name](options).read(req, {})
    if (name === 'ndjson') await drain(req.body)
  },
  async Request (name, options) {
    const headers = { 'content-type': TYPES[name] }
    const body = web[name](options)(new Request('http://localhost/', { method: 'POST', headers, body: BODIES[name] }))
    await (name === 'ndjson' ? drain(body) : body)
  }
}

describe('what the app awaits', () => {
  for (const [entry, read] of Object.entries(entries)) {
    for (const [what, [name, optionsOf]] of Object.entries(ROWS)) {
      it(`may be a thenable: ${what}, ${entry}`, async () => {
        await read(name, optionsOf(later))
        await assert.rejects(read(name, optionsOf(refused)), /no/)
      })
    }
  }
})
