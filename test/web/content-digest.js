'use strict'

// Option `contentDigest` of fast-body-parser/web.

const assert = require('node:assert/strict')
const web = require('fast-body-parser/web')
const { findCrypto } = require('../../lib/web/node')
const { split } = require('../../tools/http-message')
const { CODERS_OF_WEB } = require('../support/coders')
const digestOf = require('../support/content-digest')
const loadAgain = require('../support/load-again')
const { collect } = require('../support/loop')
const { form } = require('../support/upload')
const { post, postPieces } = require('../support/web-request')

const MISMATCH = { status: 400, type: 'digest.mismatch' }
const MISSING = { status: 400, type: 'digest.missing' }
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'multipart/form-data; boundary=b' }
const formBody = form(['a', '1'], ['f', 'hello', 'x'])
const encode = { identity: Buffer.from, ...CODERS_OF_WEB }

/** What a reader gives, of which a loop is read. */
async function read (reader, request) {
  const result = await reader(request)
  return result?.[Symbol.asyncIterator] === undefined ? result : collect(result)
}

// [parser, type, body, what it gives]
const readers = [
  [web.json, 'application/json', '{"a":1}', { a: 1 }],
  [web.json, 'application/json', `\ufeff${JSON.stringify('x'.repeat(90_000))}`, 'x'.repeat(90_000)],
  [web.text, 'text/plain', 'hello', 'hello'],
  [web.raw, 'application/octet-stream', 'hello', new Uint8Array(Buffer.from('hello'))],
  [web.urlencoded, 'application/x-www-form-urlencoded', 'a=1', { a: '1' }],
  [web.ndjson, 'application/x-ndjson', '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
  [web.jsonArray, 'application/json', '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]]
]

describe('contentDigest of fast-body-parser/web', () => {
  before(function () {
    if (findCrypto() === undefined) this.skip() // before Node 20.16
  })

  for (const [create, type, body, expected] of readers) {
    for (const coding of Object.keys(encode)) {
      it(`tells bodies that are what was sent from others: ${type}, ${body.length} bytes, ${coding}`, async () => {
        const reader = create({ contentDigest: 'require', ...(body.length > 1000 && { strict: false }) })
        const sent = encode[coding](Buffer.from(body))
        for (const pieces of [null, split(sent, Math.min(50, sent.length))]) {
          const requestWith = (digest) => {
            const headers = { 'content-type': type, ...(digest && { 'content-digest': digest }) }
            if (coding !== 'identity') headers['content-encoding'] = coding
            return pieces === null
              ? post(sent, { ...headers, 'content-length': sent.length })
              : postPieces(pieces, headers)
          }
          assert.deepEqual(await read(reader, requestWith(digestOf(sent, 'sha-512'))), expected)
          await assert.rejects(read(reader, requestWith(digestOf('x'))), MISMATCH)
          await assert.rejects(read(reader, requestWith()), MISSING)
        }
      })
    }
  }

  it('leaves a body without a digest to all that reads it otherwise', async () => {
    const reader = web.json({ contentDigest: 'check' })
    assert.deepEqual(await reader(post('{"a":1}', JSON_TYPE)), { a: 1 })
    await assert.rejects(reader(post('{"a":1}', { ...JSON_TYPE, 'content-digest': 'x' })), MISMATCH)
  })

  for (const coding of Object.keys(encode)) {
    it(`is of forms and of loops over parts: ${coding}`, async () => {
      const readForm = web.multipart({ contentDigest: 'require' })
      const sent = encode[coding](formBody)
      const requestWith = (digest) => postPieces(split(sent, 30), {
        ...FORM_TYPE,
        ...(coding !== 'identity' && { 'content-encoding': coding }),
        ...(digest && { 'content-digest': digest })
      })
      const { fields, files } = await readForm(requestWith(digestOf(sent)))
      assert.deepEqual([fields, files.f.length], [{ a: '1' }, 1])
      await assert.rejects(readForm(requestWith(digestOf('x'))), MISMATCH)
      await assert.rejects(readForm(requestWith()), MISSING)
      const names = []
      await assert.rejects(async () => {
        for await (const { field } of readForm.parts(requestWith(digestOf('x')))) names.push(field)
      }, MISMATCH)
      assert.deepEqual(names, ['a', 'f'])
    })
  }

  it('is answered with the digests that count', async () => {
    const error = await web.json({ contentDigest: 'require' })(post('{}', JSON_TYPE)).catch((error) => error)
    assert.equal(web.toResponse(error).headers.get('want-content-digest'), 'sha-256=10, sha-512=10')
  })

  it('needs node:crypto, and is a TypeError where there is none', () => {
    const NODE = require.resolve('../../lib/web/node')
    const own = require.cache[NODE]
    require.cache[NODE] = { ...own, exports: { ...own.exports, findCrypto: () => undefined } }
    try {
      const { compose } = loadAgain(require.resolve('../../lib/web/compose'))
      const describe = () => ({ charsets: null })
      assert.throws(() => compose('raw', { contentDigest: 'check' }, describe),
        new TypeError('option contentDigest needs node:crypto'))
      assert.ok(compose('raw', {}, describe))
    } finally {
      require.cache[NODE] = own
    }
  })
})
