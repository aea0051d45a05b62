'use strict'

// The requests that every framework gets, and what becomes of them with the parsers of stack.js.

const zlib = require('node:zlib')

const object = { name: '論 é', list: [1, 2, { a: null }] }
const text = JSON.stringify(object)
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const latin1 = { 'content-type': 'text/plain; charset=iso-8859-1' }
const bytes = { 'content-type': 'application/octet-stream' }
const gzip = { ...json, 'content-encoding': 'gzip' }
const koi8 = { 'content-type': 'application/json; charset=koi8-r' }
const large = JSON.stringify(['x'.repeat(2000)])
const tooLarge = { status: 413, type: 'entity.too.large' }
const broken = { status: 400, type: 'entity.parse.failed' }
const unknown = { status: 415, type: 'charset.unsupported' }

/**
 * @typedef {object} Request
 * @property {string} it
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {string | Buffer} [body] undefined: none, and no content-length
 * @property {boolean} [chunked] send it in pieces, its length not declared
 * @property {string} [path]
 * @property {object} [seen] what the handler finds; see stack.js
 * @property {{ status: number, type?: string }} [error] what `next` gets
 */

/** @type {Request[]} */
module.exports = [
  { it: 'JSON', headers: json, body: text, seen: { body: object } },
  { it: 'JSON, chunked', headers: json, body: text, chunked: true, seen: { body: object } },
  { it: 'JSON, gzip', headers: gzip, body: zlib.gzipSync(text), seen: { body: object } },
  { it: 'JSON, gzip, chunked', headers: gzip, body: zlib.gzipSync(text), chunked: true, seen: { body: object } },
  { it: 'a form', headers: form, body: 'a[b]=1+%C3%A9&d=%26', seen: { body: { a: { b: '1 é' }, d: '&' } } },
  { it: 'text', headers: latin1, body: Buffer.from('é', 'latin1'), seen: { body: 'é' } },
  { it: 'bytes', headers: bytes, body: Buffer.of(0, 255, 10), seen: { bytes: '00ff0a' } },
  { it: 'JSON over the limit', headers: json, body: large, error: tooLarge },
  { it: 'JSON over the limit, chunked', headers: json, body: large, chunked: true, error: tooLarge },
  { it: 'JSON over the limit, gzip', headers: gzip, body: zlib.gzipSync(large), error: tooLarge },
  { it: 'JSON that is broken', headers: json, body: text.slice(0, -1), error: broken },
  { it: 'gzip that is broken', headers: gzip, body: 'no gzip', error: { status: 400 } },
  { it: 'a charset that JSON has not', headers: koi8, body: text, error: unknown },
  { it: 'an empty body', headers: json, body: '', seen: { body: {} } },
  { it: 'a type that no parser takes', headers: { 'content-type': 'image/png' }, body: 'png', seen: {} },
  { it: 'a GET', method: 'GET', seen: {} }
]
