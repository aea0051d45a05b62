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
  const bytes = Buffer.concat([chunksOf(body, sizes), Buffer.from(ENDS[fault] ?? LAST_CHUNK)])
  if (kind === 'both') return { headers: [declared, coded], bytes, whole: false, clean: false }
  const whole = fault !== 'unfinished'
  return { headers: [coded], bytes, whole, clean: whole && transfer.toLowerCase() === 'chunked' }
}

/** What Node.js tells a parser of: it refuses other faults of chunks. */
const ENDS = { unfinished: '', trailer: '0\r\nX: y\r\n\r\n' }

function chunksOf (body, sizes) {
  const places = sizes.map((size) => Math.floor(body.length * size / 1000)).sort((a, b) => a - b)
  return Buffer.concat([...places, body.length].map((end, i) => asChunk(body.subarray(places[i - 1] ?? 0, end))))
}

module.exports = { frame }
