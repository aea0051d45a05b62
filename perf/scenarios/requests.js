'use strict'

// The requests of the scenarios. Each states how many bytes its plain body
// has; index.js compares that with the body before any load.

const zlib = require('node:zlib')
const querystring = require('node:querystring')

const CODERS = { gzip: zlib.gzipSync, br: zlib.brotliCompressSync }

/**
 * @typedef {object} LoadRequest
 * @property {string} method
 * @property {Record<string, string>} headers
 * @property {Buffer} body as it is sent, its content coding applied
 * @property {number} bytes length of the plain body
 * @property {unknown} value what the parser must return
 * @property {string} [coding] content coding
 * @property {number} [chunks] number of chunks, in chunked transfer coding
 * @property {{ status: number, body: string }} [expect] of a request that must be refused
 */

/** @returns {LoadRequest} */
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
  return { ...post(type, Buffer.from(content), bytes, undefined), expect: { status, body: reason } }
}

function post (type, plain, bytes, value, { coding, chunks } = {}) {
  const headers = { 'Content-Type': type }
  if (coding !== undefined) headers['Content-Encoding'] = coding
  const body = coding === undefined ? plain : CODERS[coding](plain)
  return { method: 'POST', headers, body, bytes, value, coding, chunks }
}

module.exports = { json, form, text, raw, get, bad }
