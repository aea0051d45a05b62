'use strict'

// Makes the bytes to send of a generated request, in pieces, and the options that depend on them.

const zlib = require('node:zlib')
const iconv = require('iconv-lite')
const { asChunk, LAST_CHUNK, serializeHead } = require('../../tools/http-message')

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

/** What Node.js tells a parser of: it refuses other faults of chunks. */
const ENDS = { unfinished: '', trailer: '0\r\nX: y\r\n\r\n' }
const NO_TEXT = ['hex', 'base64', 'binary', 'internal'] // charsets that decode into what they are named after
const BYTEWISE = 60 // bytes of a body that may go out one by one

/**
 * @typedef {object} Plan
 * @property {object} case with limits that are numbers
 * @property {Buffer} body as it is framed
 * @property {Buffer} read the part of it that is within its length
 * @property {{ bytes: Buffer, pause: string }[]} pieces
 * @property {boolean} whole the message has an end
 * @property {boolean} clean no server refuses it, or what follows
 *
 * @returns {Plan}
 */
function createPlan (drawn) {
  const { request, stack } = drawn
  const content = contentOf(request)
  const body = encode(content, request.coding)
  const { headers, bytes, whole, clean } = frame(body, request.framing)
  const head = Buffer.from(serializeHead(request, [['Host', 'test'], ...headersOf(request), ...headers]), 'latin1')
  const { kind, off } = request.framing
  return {
    case: { ...drawn, stack: stack.map((layer) => ({ ...layer, options: settle(layer.options, content, body) })) },
    body,
    read: kind === 'length' ? body.subarray(0, Math.max(0, body.length + off)) : body,
    whole,
    clean,
    pieces: cut(Buffer.concat([head, bytes]), head.length, request.arrival)
  }
}

/** The same, in one chunk and one piece. */
function together ({ case: { request, ...drawn } }) {
  const arrival = { cuts: [], pauses: ['delivered'], bytewise: false }
  return createPlan({ ...drawn, request: { ...request, arrival, framing: { ...request.framing, sizes: [] } } })
}

/** Drops options that are not given, and makes a limit near a length a number. */
function settle (options, content, body) {
  if (typeof options !== 'object' || options === null) return options
  const settled = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const { limit } = settled
  if (limit?.near === undefined) return settled
  return { ...settled, limit: Math.max(0, (limit.near === 'coded' ? body : content).length + limit.off) }
}

function contentOf ({ content, charset, encodedAs, damage }) {
  const bytes = Buffer.isBuffer(content) ? content : encodeText(content, encodedAs === 'same' ? charset : encodedAs)
  return damaged(bytes, damage)
}

function encodeText (text, charset) {
  const known = iconv.encodingExists(charset) && !NO_TEXT.includes(charset)
  return iconv.encode(text, known ? charset : 'utf-8')
}

function encode (plain, { applied, fault, level } = { applied: [] }) {
  const once = applied.reduce((bytes, name) => ENCODERS[name](bytes, level), plain)
  return fault === undefined ? once : CODING_FAULTS[fault.kind](once, fault, plain)
}

/** With or without a fault. */
function frame (body, { kind, off, transfer, fault, sizes = [] }) {
  const length = Math.max(0, body.length + off)
  const declared = ['Content-Length', String(length)]
  const coded = ['Transfer-Encoding', transfer]
  if (kind === 'none') return { headers: [], bytes: Buffer.alloc(0), whole: true, clean: true }
  if (kind === 'length') {
    return { headers: [declared], bytes: body, whole: length <= body.length, clean: length === body.length }
  }
  const bytes = Buffer.concat([chunksOf(body, sizes), Buffer.from(ENDS[fault] ?? LAST_CHUNK)])
  const whole = fault !== 'unfinished'
  return { headers: [coded], bytes, whole, clean: whole && transfer.toLowerCase() === 'chunked' }
}

function chunksOf (body, sizes) {
  const places = sizes.map((size) => part(body.length, size)).sort((a, b) => a - b)
  return Buffer.concat([...places, body.length].map((end, i) => asChunk(body.subarray(places[i - 1] ?? 0, end))))
}

function headersOf ({ type, charset, coding, headers }) {
  const all = []
  if (type !== undefined) all.push(['Content-Type', type.replaceAll('%', () => charset)])
  if (coding !== undefined) all.push(['Content-Encoding', coding.header])
  return [...all, ...headers]
}

function cut (bytes, headLength, { cuts, pauses, bytewise }) {
  const { length } = bytes
  const named = { head: headLength, first: headLength + 1, last: length - 1 }
  const places = bytewise && length - headLength <= BYTEWISE
    ? Array.from({ length: length - headLength }, (_, i) => headLength + i)
    : cuts.map((place) => named[place] ?? part(length, place))
  const ends = [...new Set([...places, length])].filter((end) => end > 0 && end <= length).sort((a, b) => a - b)
  return ends.map((end, i) => ({ bytes: bytes.subarray(ends[i - 1] ?? 0, end), pause: pauses[i % pauses.length] }))
}

function damaged (bytes, places) {
  const copy = Buffer.from(bytes)
  for (const [at, mask] of bytes.length > 0 ? places : []) copy[part(bytes.length, at)] ^= mask
  return copy
}

const part = (length, permille) => Math.floor(length * permille / 1000)

module.exports = { createPlan, together }
