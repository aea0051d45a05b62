'use strict'

// Makes the bytes to send of a generated request, in pieces.

const zlib = require('node:zlib')
const iconv = require('iconv-lite')
const { serializeHead } = require('../../tools/http-message')
const { frame } = require('./framed')

const ENCODERS = {
  gzip: (bytes, level) => zlib.gzipSync(bytes, { level }),
  deflate: (bytes, level) => zlib.deflateSync(bytes, { level }),
  raw: (bytes, level) => zlib.deflateRawSync(bytes, { level }),
  br: (bytes, level) => zlib.brotliCompressSync(bytes,
    { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: Math.min(level, 5) } }),
  zstd: zlib.zstdCompressSync ?? ((bytes) => bytes) // since Node 22.15
}

const CODING_FAULTS = {
  /** A negative place counts from the end. */
  truncate: (bytes, { at }) => bytes.subarray(0, at < 0 ? Math.max(0, bytes.length + at) : part(bytes.length, at)),
  trail: (bytes, { hex }) => Buffer.concat([bytes, Buffer.from(hex, 'hex')]),
  damage: (bytes, { at, mask }) => damaged(bytes, [[at, mask]]),
  again: (bytes, { times }) => Buffer.concat(Array(times + 1).fill(bytes)),
  empty: () => Buffer.alloc(0),
  plain: (bytes, fault, plain) => plain
}

/**
 * @typedef {object} Message
 * @property {[string, string][]} headers
 * @property {Buffer} content before the content coding
 * @property {Buffer} body as it is framed
 * @property {Buffer} read the part of the body that is within its length
 * @property {{ bytes: Buffer, pause: string }[]} pieces
 * @property {boolean} whole it has an end
 * @property {boolean} clean no server refuses it, or what follows
 * @property {string} join how it follows the message before
 */

/**
 * @param {object} request see generate/request.js
 * @returns {Message}
 */
function createMessage (request) {
  const content = contentOf(request)
  const body = encode(content, request.coding)
  const framed = frame(body, request.framing)
  const headers = [...headersOf(request), ...framed.headers]
  const head = Buffer.from(serializeHead(request, [['Host', 'test'], ...headers]), 'latin1')
  const bytes = Buffer.concat([head, framed.bytes])
  return {
    request,
    headers,
    content,
    body,
    read: readable(body, request.framing),
    whole: framed.whole,
    clean: framed.clean,
    join: request.join,
    pieces: cut(bytes, head.length, request.arrival)
  }
}

function encode (plain, { applied, fault, level } = { applied: [] }) {
  const once = applied.reduce((bytes, name) => ENCODERS[name](bytes, level), plain)
  return fault === undefined ? once : CODING_FAULTS[fault.kind](once, fault, plain)
}

function readable (body, { kind, off }) {
  return kind === 'length' ? body.subarray(0, Math.max(0, body.length + off)) : body
}

function contentOf ({ content, charset, encodedAs, damage }) {
  const bytes = Buffer.isBuffer(content) ? content : encodeText(content, encodedAs === 'same' ? charset : encodedAs)
  return damaged(bytes, damage)
}

function damaged (bytes, places) {
  const copy = Buffer.from(bytes)
  for (const [at, mask] of bytes.length > 0 ? places : []) copy[part(bytes.length, at)] ^= mask
  return copy
}

const part = (length, permille) => Math.floor(length * permille / 1000)

const NO_TEXT = ['hex', 'base64', 'binary', 'internal'] // these decode into what they are named after

function encodeText (text, charset) {
  const known = iconv.encodingExists(charset) && !NO_TEXT.includes(charset)
  return iconv.encode(text, known ? charset : 'utf-8')
}

function headersOf ({ type, charset, coding, headers }) {
  const all = []
  if (type !== undefined) all.push(['Content-Type', type.replaceAll('%', () => charset)])
  if (coding !== undefined) all.push(['Content-Encoding', coding.header])
  return [...all, ...headers]
}

const BYTEWISE = 60 // bytes of a body that may go out one by one

function cut (bytes, headLength, { cuts, pauses, bytewise }) {
  const bodyLength = bytes.length - headLength
  const places = bytewise && bodyLength <= BYTEWISE
    ? Array.from({ length: bodyLength }, (_, i) => headLength + i)
    : cuts.map((place) => placeOf(place, headLength, bytes.length))
  const ends = [...new Set([...places, bytes.length])].filter((end) => end > 0 &&
    end <= bytes.length).sort((a, b) => a - b)
  return ends.map((end, i) => ({ bytes: bytes.subarray(ends[i - 1] ?? 0, end), pause: pauses[i % pauses.length] }))
}

function placeOf (place, headLength, length) {
  switch (place) {
    case 'head': return headLength
    case 'first': return headLength + 1
    case 'last': return length - 1
    default: return part(length, place)
  }
}

module.exports = { createMessage }
