'use strict'

// Frames a body by its declared length or in chunks, with or without a fault.

const { asChunk, LAST_CHUNK } = require('../../tools/http-message')

/**
 * @param {Buffer} body
 * @param {object} framing see generate/framing.js
 * @returns {{ headers: [string, string][], bytes: Buffer, whole: boolean, clean: boolean }}
 *   `whole` is false if the message does not end with these bytes, or before
 *   them; `clean` if a server must refuse it, or what follows it
 */
function frame (body, { kind, off, transfer, fault, sizes = [] }) {
  const length = Math.max(0, body.length + off)
  const declared = ['Content-Length', String(length)]
  const coded = ['Transfer-Encoding', transfer]
  if (kind === 'none') return { headers: [], bytes: Buffer.alloc(0), whole: true, clean: true }
  if (kind === 'length') {
    return { headers: [declared], bytes: body, whole: length <= body.length, clean: length === body.length }
  }
  const chunks = chunksOf(body, sizes)
  if (kind === 'both') return { headers: [declared, coded], bytes: chunked(chunks), whole: false, clean: false }
  const whole = fault === undefined || HARMLESS.includes(fault)
  const bytes = (FAULTS[fault] ?? chunked)(chunks)
  return { headers: [coded], bytes, whole, clean: whole && transfer.toLowerCase() === 'chunked' }
}

const HARMLESS = ['extension', 'trailer', 'upper case']

const chunked = (chunks, end = LAST_CHUNK) => Buffer.concat([chunks, Buffer.from(end)])

function chunksOf (body, sizes) {
  const places = sizes.map((size) => Math.floor(body.length * size / 1000)).sort((a, b) => a - b)
  return Buffer.concat([...places, body.length].map((end, i) => asChunk(body.subarray(places[i - 1] ?? 0, end))))
}

const FAULTS = {
  extension: (chunks) => changeSize(chunked(chunks), (size) => `${size};a="b"`),
  trailer: (chunks) => chunked(chunks, '0\r\nX: y\r\n\r\n'),
  unfinished: (chunks) => chunks,
  'no size': (chunks) => chunked(chunks, 'x\r\n\r\n'),
  'too long': (chunks) => chunked(chunks, `1\r\nabc\r\n${LAST_CHUNK}`),
  'half a size': (chunks) => chunked(chunks, '1'),
  'no last break': (chunks) => chunked(chunks, '0\r\n'),
  'upper case': (chunks) => changeSize(chunked(chunks), (size) => size.toUpperCase())
}

/** Of the first chunk. */
function changeSize (bytes, change) {
  const end = bytes.indexOf('\r\n')
  return Buffer.concat([Buffer.from(change(bytes.toString('latin1', 0, end))), bytes.subarray(end)])
}

module.exports = { frame }
