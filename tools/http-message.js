'use strict'

// HTTP/1.1 messages as bytes (RFC 9112), for clients that need to know exactly what they send, and when.

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/**
 * @param {{ method?: string, path?: string, version?: string }} line
 * @param {Record<string, string | number> | [string, string | number][]} headers
 * @returns {string} request line and header, in Latin-1
 */
function serializeHead ({ method = 'POST', path = '/', version = '1.1' }, headers) {
  const fields = Array.isArray(headers) ? headers : Object.entries(headers)
  const lines = fields.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/${version}\r\n${lines.join('')}\r\n`
}

/**
 * A request with a body that is declared or in chunks, in pieces that are each written on their own.
 *
 * @param {object} request
 * @param {string} [request.method]
 * @param {string} [request.path]
 * @param {Record<string, string | number | undefined>} [request.headers] one that is undefined is left out
 * @param {string | Buffer} [request.body] undefined: the request has none
 * @param {Buffer[]} [request.pieces] of the body
 * @param {boolean} [request.chunked] a chunk for each piece
 * @param {number} [request.length] to declare, if it is not that of the body
 * @param {boolean} [request.cut] break the connection after the body
 * @returns {{ head: string, pieces: Buffer[], cut: boolean }} for `send` of talk.js
 */
function messageOf ({ method, path, headers, body, pieces, chunked = false, length, cut = false }) {
  const parts = pieces ?? (body === undefined ? [] : [Buffer.from(body)])
  const declared = length ?? parts.reduce((sum, piece) => sum + piece.length, 0)
  const hasLength = !chunked && (body ?? pieces ?? length) !== undefined
  const framing = chunked ? { 'Transfer-Encoding': 'chunked' } : hasLength ? { 'Content-Length': declared } : {}
  const framed = chunked ? [...parts.map(asChunk), ...cut ? [] : [LAST_CHUNK]] : parts
  return {
    head: serializeHead({ method, path }, { Host: 'test', ...headers, ...framing, ...headers }),
    pieces: framed,
    cut
  }
}

/**
 * The same as bytes.
 *
 * @param {Parameters<typeof messageOf>[0] & { chunks?: number }} request `chunks`: send the body in so many
 * @returns {Buffer}
 */
function serializeRequest ({ chunks, body, ...request }) {
  const framing = chunks === undefined ? {} : { pieces: split(body, chunks), chunked: true }
  const { head, pieces } = messageOf({ ...request, body: request.method === 'GET' ? undefined : body, ...framing })
  return Buffer.concat([Buffer.from(head, 'latin1'), ...pieces])
}

/** @param {Buffer | string} piece that is empty stays so, as it would be the last chunk @returns {Buffer} */
const asChunk = (piece) => toChunks(Buffer.from(piece), Infinity)

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
 * @param {Buffer} bytes
 * @returns {{ status: number, headers: Record<string, string>, body: Buffer, length: number } | null} the first
 *   response in them, with the length of the whole message; null if it is not complete
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

module.exports = { LAST_CHUNK, messageOf, serializeHead, serializeRequest, asChunk, toChunks, split, parseResponse }
