'use strict'

// What clients are answered for each error of records and of items: by problemDetails(), and by toResponse() of /web.

const assert = require('node:assert/strict')
const { jsonArray, ndjson, problemDetails } = require('../../')
const web = require('../../lib/web')
const fetchFrom = require('../support/express')
const schemaOf = require('../support/schema-of')

const TYPES = { ndjson: 'application/x-ndjson', jsonArray: 'application/json' }
const schema = schemaOf((value) => value === 5 ? { issues: [{ message: 'no' }] } : { value })

async function readAll (items) {
  for await (const { error } of items) if (error) throw error
}

/** Each gives the response to a body. */
const ENTRIES = {
  async middleware (name, options, body) {
    const read = (req, res, next) => readAll(req.body).catch(next)
    const handlers = [{ ndjson, jsonArray }[name](options), read, problemDetails()]
    const { text, ...response } = await fetchFrom(handlers, { headers: { 'Content-Type': TYPES[name] }, body })
    return { ...response, json: () => JSON.parse(text) }
  },

  async web (name, options, body) {
    const request = new Request('http://test', { method: 'POST', headers: { 'content-type': TYPES[name] }, body })
    return readAll(web[name](options)(request)).catch(web.toResponse)
  }
}

const errors = [{ detail: 'no', pointer: '#' }]
const invalid = { status: 422, code: 'entity.invalid', detail: 'request entity invalid: no', errors }
const tooLarge = (detail) => ({ status: 413, code: 'entity.too.large', detail, limit: 6 })
const failed = { status: 400, code: 'entity.parse.failed', detail: /JSON/ }
const tooDeep = { status: 400, code: 'entity.too.deep', detail: 'the JSON exceeded the depth' }
const tooMany = { status: 413, code: 'records.too.many', detail: 'too many records', limit: 1 }
const tooManyWrong = {
  status: 400,
  code: 'records.errors.too.many',
  detail: 'too many wrong records: this is one more than 0',
  limit: 0
}
const collect = { onError: 'collect' }

/** [parser, what, options, body, what the answer has] */
const rows = [
  ['ndjson', 'a record that a schema refuses', { schema, strict: false }, '1\n5', { ...invalid, line: 2, offset: 2 }],
  ['ndjson', 'a record that is too large', { record: 6 }, '[1]\n[1,2,3]\n',
    { ...tooLarge('record too large (line 2): at most 6 bytes'), line: 2, offset: 4 }],
  ['ndjson', 'a record that is not JSON', {}, '[1]\n\n[x]', { ...failed, line: 3, offset: 5 }],
  ['ndjson', 'one without JSON that is collected', collect, '[1]\n\n[x]', { ...failed, line: 3, offset: 5 }],
  ['ndjson', 'too many records', { max: 1 }, '[1]\n[2]', { ...tooMany, line: 2, offset: 4 }],
  ['ndjson', 'too many wrong ones', { ...collect, maxErrors: 0 }, '[1]\nx', { ...tooManyWrong, line: 2, offset: 4 }],
  ['jsonArray', 'one that is collected', { ...collect, schema }, '[1,5]', { ...invalid, record: 2, offset: 3 }],
  ['jsonArray', 'an item that is too large', { record: 6 }, '[1,"12345",2]',
    { ...tooLarge('item too large (record 2): at most 6 bytes'), record: 2, offset: 3 }],
  ['jsonArray', 'an item that is not JSON', {}, '[1,[x]]', { ...failed, record: 2, offset: 4 }],
  ['jsonArray', 'an item that nests too deep', { depth: 1 }, '[1,[[]]]', { ...tooDeep, record: 2, offset: 3 }],
  ['jsonArray', 'what is not JSON behind the array', {}, '[1] x', { ...failed, offset: 4 }],
  ['jsonArray', 'JSON without the array', {}, ' {}',
    { status: 400, code: 'records.not.found', detail: 'the JSON is an object, not an array', offset: 1 }]
]

describe('clients are answered', () => {
  for (const [entry, respond] of Object.entries(ENTRIES)) {
    for (const [name, what, options, body, expected] of rows) {
      it(`where the error is: ${what}, ${name} (${entry})`, async () => {
        const response = await respond(name, options, body)
        const { detail, title, type, ...members } = await response.json()
        const { detail: wanted, ...others } = expected
        assert.deepEqual(members, others)
        assert.equal(response.status, expected.status)
        if (wanted instanceof RegExp) assert.match(detail, wanted)
        else assert.equal(detail, wanted)
      })
    }
  }
})
