'use strict'

// Makes the bytes to send of a generated request, in pieces.

const iconv = require('iconv-lite')
const { serializeHead } = require('../../tools/http-message')
const { encode } = require('./coded')
const { frame } = require('./framed')

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
  const body = request.coding === undefined ? content : encode(content, request.coding)
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

function readable (body, { kind, off }) {
  return kind === 'length' ? body.subarray(0, Math.max(0, body.length + off)) : body
}

function contentOf ({ content, charset, encodedAs, damage }) {
  const bytes = Buffer.isBuffer(content) ? content : encodeText(content, encodedAs === 'same' ? charset : encodedAs)
  if (damage === undefined || bytes.length === 0) return bytes
  const damaged = Buffer.from(bytes)
  for (const [at, byte] of damage) damaged[Math.floor(bytes.length * at / 1000)] = byte
  return damaged
}

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
    default: return Math.floor(length * place / 1000)
  }
}

module.exports = { createMessage }
