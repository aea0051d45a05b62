'use strict'

const MEDIA_TYPES = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded'
}

/**
 * @typedef {object} Row one kind of work
 * @property {string} name
 * @property {string[]} requires what a competitor must support for its time to count
 * @property {() => Work} build
 *
 * @typedef {object} Work
 * @property {string} method
 * @property {Record<string, string>} headers
 * @property {Buffer[]} chunks sent a tick apart
 * @property {[kind: string, options: object][]} parsers in the stack's order
 * @property {unknown} [body] what `req.body` must be
 * @property {number} [status] the status of the error, when the row is about one
 * @property {boolean} [skips] no parser has anything to do
 * @property {boolean} [served] as from a busy server: several requests come
 *   in one turn of the event loop, and the end of each a tick after its bytes
 * @property {boolean} [headersRead] `req.headers` exists before the parser runs
 * @property {boolean} [ofExpress] the request has the prototype that an app of Express gives it
 */

const HEADERS = { Host: 'localhost:3000', 'User-Agent': 'bench', Accept: '*/*' }

/**
 * A POST that one parser handles.
 *
 * @param {string} kind json, raw, text or urlencoded
 * @param {{ bytes: Buffer, value: unknown }} content
 * @param {object} [how]
 * @param {object} [how.options] the parser's
 * @param {object} [how.headers] besides or instead of the usual ones
 * @param {number} [how.chunk] bytes; default: all in one
 * @param {boolean} [how.chunked] with transfer-encoding instead of a length
 * @param {boolean} [how.served]
 * @returns {Work}
 */
function post (kind, { bytes, value }, { options = {}, headers, chunk = Infinity, chunked, served } = {}) {
  return {
    method: 'POST',
    headers: {
      ...HEADERS,
      'Content-Type': MEDIA_TYPES[kind],
      ...(chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(bytes.length) }),
      ...headers
    },
    chunks: split(alone(bytes), chunk),
    served,
    parsers: [[kind, options]],
    body: value
  }
}

/** As a server reads them: not in the pool of small Buffers, from which parsers that keep bytes copy them. */
function alone (bytes) {
  return Buffer.from(Uint8Array.from(bytes).buffer)
}

/** @returns {Buffer[]} views of `size` bytes, the last one of what is left */
function split (bytes, size) {
  const chunks = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  return chunks
}

module.exports = { HEADERS, MEDIA_TYPES, post }
