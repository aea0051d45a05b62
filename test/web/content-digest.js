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
const encode = { identity: Buffer.from, ...CODERS_OF_WEB }

const REQUIRE = { contentDigest: 'require' }
const readForm = async (request) => (await web.multipart(REQUIRE)(request)).fields
const readParts = async (request) => {
  const [{ field, value }] = await collect(web.multipart(REQUIRE).parts(request))
  return { [field]: value }
}

// [what reads, type, body, what it gives]
const readers = [
  [(request) => web.json(REQUIRE)(request), 'application/json', '{"a":1}', { a: 1 }],
  [(request) => web.json({ ...REQUIRE, strict: false })(request), 'application/json',
    `\ufeff${JSON.stringify('x'.repeat(90_000))}`, 'x'.repeat(90_000)],
  [async (request) => collect(web.ndjson(REQUIRE)(request)), 'application/x-ndjson', '{"a":1}\n{"a":2}',
    [{ a: 1 }, { a: 2 }]],
  [readForm, 'multipart/form-data; boundary=b', form(['a', '1']), { a: '1' }],
  [readParts, 'multipart/form-data; boundary=b', form(['a', '1']), { a: '1' }]
]

describe('contentDigest of fast-body-parser/web', () => {
  before(function () {
    if (findCrypto() === undefined) this.skip() // before Node 20.16
  })

  for (const [read, type, body, expected] of readers) {
    for (const coding of Object.keys(encode)) {
      it(`tells bodies that are what was sent from others: ${type}, ${body.length} bytes, ${coding}`, async () => {
        const sent = encode[coding](Buffer.from(body))
        for (const pieces of [null, split(sent, Math.min(50, sent.length))]) {
          const requestWith = (digest) => {
            const headers = { 'content-type': type, ...(digest && { 'content-digest': digest }) }
            if (coding !== 'identity') headers['content-encoding'] = coding
            return pieces === null
              ? post(sent, { ...headers, 'content-length': sent.length })
              : postPieces(pieces, headers)
          }
          assert.deepEqual(await read(requestWith(digestOf(sent, 'sha-512'))), expected)
          await assert.rejects(read(requestWith(digestOf('x'))), MISMATCH)
          await assert.rejects(read(requestWith()), MISSING)
        }
      })
    }
  }

  it('leaves a body without a digest to all that reads it otherwise', async () => {
    const reader = web.json({ contentDigest: 'check' })
    assert.deepEqual(await reader(post('{"a":1}', JSON_TYPE)), { a: 1 })
    await assert.rejects(reader(post('{"a":1}', { ...JSON_TYPE, 'content-digest': 'x' })), MISMATCH)
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
