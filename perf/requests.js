'use strict'

// The requests of the scenarios, the same in every run. Each states how many
// bytes its plain body has, which a test checks.

const querystring = require('node:querystring')
const zlib = require('node:zlib')
const { LAST, recordOf } = require('../tools/record')

const SENTENCE = 'The quick brown fox jumps over the lazy dog. '

/** Plain words of a given length. */
function words (bytes) {
  return SENTENCE.repeat(Math.ceil(bytes / SENTENCE.length)).slice(0, bytes - LAST.length) + LAST
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

/** @returns {(value: unknown, bytes: number, how?: object) => Request} */
function poster (type, encode) {
  return (value, bytes, { coding, chunks } = {}) => {
    const plain = Buffer.from(encode(value))
    const body = coding === undefined ? plain : CODERS[coding](plain)
    const headers = { 'content-type': type, ...coding && { 'content-encoding': coding } }
    return { method: 'POST', headers, body, bytes, value, coding, chunks }
  }
}

const postJson = poster('application/json', JSON.stringify)
const postText = poster('text/plain; charset=utf-8', String)
const postBytes = poster('application/octet-stream', (value) => value)

/** Each of a given length. */
const json = (bytes, { comment, ...how } = {}) => postJson(recordOf(bytes, comment), bytes, how)
const text = (bytes) => postText(words(bytes), bytes)
const raw = (bytes) => postBytes(binary(bytes), bytes)

/** A flat form. */
const form = poster('application/x-www-form-urlencoded', querystring.stringify)

/** Without a body. */
function get () {
  return { method: 'GET', headers: {}, body: Buffer.alloc(0), bytes: 0, value: undefined }
}

/** A request that must be refused. */
function bad (type, content, bytes, status, reason) {
  return { ...poster(type, String)(content, bytes), refusal: { status, body: reason } }
}

module.exports = { json, form, text, raw, get, bad }
