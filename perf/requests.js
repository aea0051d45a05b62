'use strict'

// The requests of the scenarios, the same in every run. Each states how many
// bytes its plain body has, which a test checks.

const querystring = require('node:querystring')
const zlib = require('node:zlib')

const LAST = 'the-end!' // 8 characters, which the answer `tail` consists of

/**
 * An object as APIs receive it, of a given length as JSON.
 *
 * @param {number} bytes at least 120
 * @param {string} [comment] a text that is repeated in it
 * @returns {object}
 */
function record (bytes, comment = 'plain words') {
  const value = { id: 4711, name: 'Ada Lovelace', tags: ['first', 'analyst'], active: true, items: [], note: '', last: LAST }
  for (let size = sizeOf(value); size + 100 < bytes;) {
    const next = item(value.items.length, comment)
    size += sizeOf(next) + 1 // a comma
    value.items.push(next)
  }
  value.note = 'x'.repeat(bytes - sizeOf(value))
  return value
}

function item (i, comment) {
  return { sku: `A-${1000 + i % 9000}`, price: (i % 97) + 0.5, amount: i % 7, comment }
}

function sizeOf (value) {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Plain words of a given length. */
function words (bytes) {
  return 'The quick brown fox jumps over the lazy dog. '.repeat(Math.ceil(bytes / 45)).slice(0, bytes - LAST.length) + LAST
}

/** Bytes of every value, of a given length. */
function binary (bytes) {
  const body = Buffer.from(Array.from({ length: bytes }, (_, i) => (i * 167 + 13) % 256))
  body.write(LAST, bytes - LAST.length, 'latin1')
  return body
}

const CODERS = { gzip: zlib.gzipSync, br: zlib.brotliCompressSync }

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {Record<string, string>} headers
 * @property {Buffer} body as it is sent, its content coding applied
 * @property {number} bytes length of the plain body
 * @property {unknown} value what the parser must return
 * @property {string} [coding] content coding
 * @property {number} [chunks] number of chunks, in chunked transfer coding
 * @property {{ status: number, body: string }} [refusal] of a request that must be refused
 */

/** @returns {Request} */
function json (value, bytes, { coding, chunks } = {}) {
  return post('application/json', Buffer.from(JSON.stringify(value)), bytes, value, { coding, chunks })
}

/** A flat form. */
function form (value, bytes) {
  return post('application/x-www-form-urlencoded', Buffer.from(querystring.stringify(value)), bytes, value)
}

function text (value, bytes) {
  return post('text/plain; charset=utf-8', Buffer.from(value), bytes, value)
}

function raw (value, bytes) {
  return post('application/octet-stream', value, bytes, value)
}

/** Without a body. */
function get () {
  return { method: 'GET', headers: {}, body: Buffer.alloc(0), bytes: 0, value: undefined }
}

/** A request that must be refused. */
function bad (type, content, bytes, status, reason) {
  return { ...post(type, Buffer.from(content), bytes, undefined), refusal: { status, body: reason } }
}

function post (type, plain, bytes, value, { coding, chunks } = {}) {
  const headers = { 'content-type': type }
  if (coding !== undefined) headers['content-encoding'] = coding
  const body = coding === undefined ? plain : CODERS[coding](plain)
  return { method: 'POST', headers, body, bytes, value, coding, chunks }
}

module.exports = { record, words, binary, json, form, text, raw, get, bad }
