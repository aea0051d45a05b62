'use strict'

// A stream of HTTP/2 whose app answers before it has read the body closes once both sides have ended it. What has been
// received is read all the same.

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const { json, multipart, urlencoded } = require('fast-body-parser')
const { form } = require('../../support/upload')
const uploadHttp2 = require('../../support/upload-http2')

const CODED = zlib.gzipSync('{"a":1}')
const GZIP = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
const FORM = form(['a', '1'])

/** What the parser makes of a request that the app has answered, and pauses until it is closed. */
async function read (parser, headers, sent) {
  const answerFirst = (req, res, next) => {
    parser(req, res, next)
    res.end()
    req.pause()
    req.on('close', () => setImmediate(() => req.resume()))
  }
  const { error, body } = await uploadHttp2(answerFirst, sent, { headers })
  return error ? error.message : body
}

describe('a request of HTTP/2 that is closed in order before it is read', () => {
  for (const [what, parser, headers, body] of [
    ['JSON', json(), { 'content-type': 'application/json', 'content-length': 7 }, '{"a":1}'],
    ['gzip of declared length', json(), { ...GZIP, 'content-length': CODED.length }, CODED],
    ['gzip of undeclared length', json(), GZIP, CODED],
    ['parameters', urlencoded(), { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 3 }, 'a=1'],
    ['a form', multipart(), { 'content-type': 'multipart/form-data; boundary=b', 'content-length': FORM.length }, FORM]
  ]) {
    it(`is read to its end: ${what}`, async () => {
      const { a } = await read(parser, headers, body)
      assert.equal(String(a), '1')
    })
  }

  it('is an error if it is cut', async () => {
    assert.equal(await read(json(), GZIP, CODED.subarray(0, -1)), 'unexpected end of file')
  })
})
