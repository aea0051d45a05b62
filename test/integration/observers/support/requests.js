'use strict'

// The requests that observers see, and what becomes of them in programs/serve.js.

const zlib = require('node:zlib')

const json = { 'content-type': 'application/json' }
const gzip = { ...json, 'content-encoding': 'gzip' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const zipped = zlib.gzipSync('{"a":1}')
const tooLarge = JSON.stringify(['x'.repeat(1024)])

/**
 * @typedef {object} Request
 * @property {string} it
 * @property {string} parser the middleware that reads it
 * @property {Record<string, string>} headers
 * @property {(string | Buffer)[]} pieces of its body, see both.js
 * @property {boolean} [chunked]
 * @property {unknown} [body] what is parsed
 * @property {{ status: number, type: string }} [error] or why it is not
 */

const ofJson = (it, pieces, more) => ({ it, parser: 'jsonParser', headers: json, pieces, body: { a: 1 }, ...more })
const refused = (it, pieces, status, type, more) =>
  ofJson(it, pieces, { body: undefined, error: { status, type }, ...more })
const CHUNKED = { chunked: true }

/** @type {Request[]} */
const requests = [
  ofJson('JSON in one packet', ['{"a":1}']),
  ofJson('JSON that comes after the header', ['', '{"a":1}']),
  ofJson('JSON in two packets', ['{"a":', '1}']),
  ofJson('chunked JSON', ['{"a":1}'], CHUNKED),
  ofJson('chunked JSON in two packets', ['{"a":', '1}'], CHUNKED),
  ofJson('JSON in gzip', [zipped], { headers: gzip }),
  ofJson('chunked JSON in gzip', [zipped.subarray(0, 9), zipped.subarray(9)], { headers: gzip, chunked: true }),
  ofJson('an empty body', [''], { body: {} }),
  { it: 'a form', parser: 'urlencodedParser', headers: form, pieces: ['a[b]=1'], body: { a: { b: '1' } } },
  { it: 'a text', parser: 'textParser', headers: { 'content-type': 'text/plain' }, pieces: ['text'], body: 'text' },
  {
    it: 'bytes',
    parser: 'rawParser',
    headers: { 'content-type': 'application/octet-stream' },
    pieces: ['ab'],
    body: { type: 'Buffer', data: [97, 98] }
  },
  refused('broken JSON', ['{"a":'], 400, 'entity.parse.failed'),
  refused('broken JSON, chunked', ['{"a"', ':'], 400, 'entity.parse.failed', CHUNKED),
  refused('JSON over the limit', [tooLarge], 413, 'entity.too.large'),
  refused('JSON over the limit, chunked', [tooLarge], 413, 'entity.too.large', CHUNKED),
  refused('JSON in a charset that is none', ['{}'], 415, 'charset.unsupported',
    { headers: { 'content-type': 'application/json; charset=x' } })
]

/** The answer to a request, in whose context the handler sees this. */
function answerTo ({ body, error }, context) {
  const seen = context === undefined ? {} : { context }
  if (error !== undefined) return { status: error.status, body: { error: error.type, ...seen } }
  return { status: 200, body: { body, ...seen } }
}

/** The middlewares that a request goes through, by name. */
function middlewaresOf ({ parser, error }) {
  const names = ['tell', 'jsonParser', 'urlencodedParser', 'textParser', 'rawParser']
  return error === undefined ? names : names.slice(0, names.indexOf(parser) + 1)
}

module.exports = { answerTo, middlewaresOf, requests }
