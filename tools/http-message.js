'use strict'

// HTTP/1.1 messages as bytes (RFC 9112), for clients that need to know exactly
// what they send, and when.

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/**
 * @param {{ method?: string, path?: string, version?: string }} line
 * @param {Record<string, string | number> | [string, string | number][]} headers
 * @returns {Buffer} request line and header
 */
function serializeHead ({ method = 'POST', path = '/', version = '1.1' }, headers) {
  const fields = Array.isArray(headers) ? headers : Object.entries(headers)
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/${version}\r\n${lines.join('')}\r\n`, 'latin1')
}

/**
 * @param {object} request
 * @param {string} [request.method]
 * @param {string} [request.path]
 * @param {Record<string, string>} [request.headers] Host among them
 * @param {Buffer} [request.body]
 * @param {number} [request.chunks] send it in so many chunks, instead of a declared length
 * @returns {Buffer}
 */
function serializeRequest ({ method = 'POST', path, headers = {}, body = Buffer.alloc(0), chunks }) {
  if (chunks !== undefined) {
    const head = serializeHead({ method, path }, { ...headers, 'Transfer-Encoding': 'chunked' })
    return Buffer.concat([head, toChunks(body, Math.ceil(body.length / chunks)), LAST_CHUNK])
  }
  const framing = method === 'GET' ? {} : { 'Content-Length': body.length }
  return Buffer.concat([serializeHead({ method, path }, { ...headers, ...framing }), body])
}

/** @param {Buffer | string} piece @returns {Buffer} one chunk; an empty piece stays empty, as it would be the last chunk */
function asChunk (piece) {
  return toChunks(Buffer.from(piece), Infinity)
}

/** @returns {Buffer} the body in chunks of `size` bytes, without the last chunk */
function toChunks (body, size) {
  const parts = [] // strings: a body may have a million chunks
  for (let start = 0; start < body.length; start += size) {
    const part = body.toString('latin1', start, start + size)
    parts.push(`${part.length.toString(16)}\r\n${part}\r\n`)
  }
  return Buffer.from(parts.join(''), 'latin1')
}

/** Cuts a body into pieces of about the same length. */
function split (body, count) {
  const length = Math.ceil(body.length / count)
  return Array.from({ length: count }, (_, i) => body.subarray(i * length, (i + 1) * length))
    .filter((piece) => piece.length > 0)
}

/**
 * @typedef {object} Response
 * @property {number} status
 * @property {Record<string, string>} headers names in lower case
 * @property {Buffer} body
 * @property {number} length of the whole message
 */

/**
 * @param {Buffer} bytes
 * @returns {Response | null} the first response in them; null if it is not complete
 */
function parseResponse (bytes) {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return null
  const [line, ...fields] = bytes.latin1Slice(0, end).split('\r\n')
  const headers = Object.fromEntries(fields.map((field) => {
    const colon = field.indexOf(':')
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
  }))
  if (headers['transfer-encoding'] !== undefined) throw new Error('only responses of a declared length can be read')
  const start = end + 4
  const length = start + Number(headers['content-length'] ?? 0)
  if (bytes.length < length) return null
  return { status: Number(line.slice(9, 12)), headers, body: bytes.subarray(start, length), length }
}

module.exports = { LAST_CHUNK, serializeHead, serializeRequest, asChunk, toChunks, split, parseResponse }
