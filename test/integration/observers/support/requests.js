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
 * @property {(string | Buffer)[]} pieces of its body, see start.js
 * @property {boolean} [chunked]
 * @property {unknown} [body] what is parsed
 * @property {{ status: number, type: string }} [error] or why it is not
 */

/** @type {Request[]} */
const requests = [
  { it: 'JSON in one packet', parser: 'jsonParser', headers: json, pieces: ['{"a":1}'], body: { a: 1 } },
  {
    it: 'JSON that comes after the header',
    parser: 'jsonParser',
    headers: json,
    pieces: ['', '{"a":1}'],
    body: { a: 1 }
  },
  { it: 'JSON in two packets', parser: 'jsonParser', headers: json, pieces: ['{"a":', '1}'], body: { a: 1 } },
  { it: 'chunked JSON', parser: 'jsonParser', headers: json, pieces: ['{"a":1}'], chunked: true, body: { a: 1 } },
  {
    it: 'chunked JSON in two packets',
    parser: 'jsonParser',
    headers: json,
    pieces: ['{"a":', '1}'],
    chunked: true,
    body: { a: 1 }
  },
  { it: 'JSON in gzip', parser: 'jsonParser', headers: gzip, pieces: [zipped], body: { a: 1 } },
  {
    it: 'chunked JSON in gzip',
    parser: 'jsonParser',
    headers: gzip,
    pieces: [zipped.subarray(0, 9), zipped.subarray(9)],
    chunked: true,
    body: { a: 1 }
  },
  { it: 'an empty body', parser: 'jsonParser', headers: json, pieces: [''], body: {} },
  { it: 'a form', parser: 'urlencodedParser', headers: form, pieces: ['a[b]=1'], body: { a: { b: '1' } } },
  { it: 'a text', parser: 'textParser', headers: { 'content-type': 'text/plain' }, pieces: ['text'], body: 'text' },
  {
    it: 'bytes',
    parser: 'rawParser',
    headers: { 'content-type': 'application/octet-stream' },
    pieces: ['ab'],
    body: { type: 'Buffer', data: [97, 98] }
  },
  {
    it: 'broken JSON',
    parser: 'jsonParser',
    headers: json,
    pieces: ['{"a":'],
    error: { status: 400, type: 'entity.parse.failed' }
  },
  {
    it: 'broken JSON, chunked',
    parser: 'jsonParser',
    headers: json,
    pieces: ['{"a"', ':'],
    chunked: true,
    error: { status: 400, type: 'entity.parse.failed' }
  },
  {
    it: 'JSON over the limit',
    parser: 'jsonParser',
    headers: json,
    pieces: [tooLarge],
    error: { status: 413, type: 'entity.too.large' }
  },
  {
    it: 'JSON over the limit, chunked',
    parser: 'jsonParser',
    headers: json,
    pieces: [tooLarge],
    chunked: true,
    error: { status: 413, type: 'entity.too.large' }
  },
  {
    it: 'JSON in a charset that is none',
    parser: 'jsonParser',
    headers: { 'content-type': 'application/json; charset=x' },
    pieces: ['{}'],
    error: { status: 415, type: 'charset.unsupported' }
  }
]

/** The answer to a request, in whose context the handler sees this. */
function answerTo ({ body, error }, context = {}) {
  if (error !== undefined) return { status: error.status, body: { error: error.type, ...context } }
  return { status: 200, body: { body, ...context } }
}

/** The middlewares that a request goes through, by name. */
function middlewaresOf ({ parser, error }) {
  const names = ['tell', 'jsonParser', 'urlencodedParser', 'textParser', 'rawParser']
  return error === undefined ? names : names.slice(0, names.indexOf(parser) + 1)
}

module.exports = { answerTo, middlewaresOf, requests }
