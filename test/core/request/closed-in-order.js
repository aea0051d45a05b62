'use strict'

// A stream of HTTP/2 whose app answers before it has read the body closes once both sides have ended it. What has been
// received is read all the same.

const assert = require('node:assert/strict')
const http2 = require('node:http2')
const zlib = require('node:zlib')
const { json, multipart, urlencoded } = require('fast-body-parser')
const serving = require('../../support/serving')
const { form } = require('../../support/upload')

const CODED = zlib.gzipSync('{"a":1}')
const GZIP = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
const FORM = form(['a', '1'])

/**
 * The app answers, and pauses the request for a while.
 *
 * @returns {Promise<unknown>} the body, or the message of the error
 */
async function read (parser, headers, body) {
  const server = http2.createServer()
  const outcome = new Promise((resolve) => {
    server.on('request', (req, res) => {
      parser(req, res, (error) => resolve(error ? error.message : req.body))
      res.end()
      req.pause()
      req.on('close', () => setImmediate(() => req.resume()))
    })
  })
  return serving(server, async (port) => {
    const client = http2.connect(`http://127.0.0.1:${port}`)
    client.request({ ':method': 'POST', ...headers }).on('error', () => {}).end(body)
    return outcome.finally(() => client.destroy())
  })
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
