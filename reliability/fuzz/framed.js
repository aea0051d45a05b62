'use strict'

// Frames a body by its declared length or in chunks, with or without a fault.

const { asChunk, LAST_CHUNK } = require('../../tools/http-message')

const BREAK = Buffer.from('\r\n')

/**
 * @param {Buffer} body
 * @param {object} framing see generate/framing.js
 * @returns {{ headers: [string, string][], bytes: Buffer, whole: boolean, clean: boolean }}
 *   `whole` is false if the message does not end with these bytes, or before
 *   them; `clean` if a server must refuse it, or what follows it
 */
function frame (body, framing) {
  switch (framing.kind) {
    case 'none':
      return { headers: [], bytes: Buffer.alloc(0), whole: true, clean: true }
    case 'length': {
      const length = Math.max(0, body.length + framing.off)
      return { headers: [['Content-Length', String(length)]], bytes: body, whole: length <= body.length, clean: length === body.length }
    }
    case 'both': {
      const length = Math.max(0, body.length + framing.off)
      return { headers: [['Content-Length', String(length)], ['Transfer-Encoding', framing.transfer]], bytes: chunk(body, []), whole: false, clean: false }
    }
    case 'chunked': {
      const headers = [['Transfer-Encoding', framing.transfer]]
      const bytes = (FAULTS[framing.fault] ?? chunk)(body, framing.sizes)
      const whole = framing.fault === undefined || HARMLESS.includes(framing.fault)
      return { headers, bytes, whole, clean: whole && framing.transfer.toLowerCase() === 'chunked' }
    }
  }
}

const HARMLESS = ['extension', 'trailer', 'upper case']

function chunk (body, sizes) {
  return Buffer.concat([...chunks(body, sizes), LAST_CHUNK])
}

function chunks (body, sizes) {
  const places = sizes.map((size) => Math.floor(body.length * size / 1000)).sort((a, b) => a - b)
  return [...places, body.length].map((end, i) => asChunk(body.subarray(places[i - 1] ?? 0, end)))
}

const FAULTS = {
  extension: (body, sizes) => insert(chunk(body, sizes), ';a="b"'),
  trailer: (body, sizes) => Buffer.concat([...chunks(body, sizes), Buffer.from('0\r\nX: y\r\n\r\n')]),
  unfinished: (body, sizes) => Buffer.concat(chunks(body, sizes)),
  'no size': (body, sizes) => Buffer.concat([...chunks(body, sizes), Buffer.from('x\r\n\r\n')]),
  'too long': (body, sizes) => Buffer.concat([...chunks(body, sizes), Buffer.from('1\r\nabc\r\n'), LAST_CHUNK]),
  'half a size': (body, sizes) => Buffer.concat([...chunks(body, sizes), Buffer.from('1')]),
  'no last break': (body, sizes) => Buffer.concat([...chunks(body, sizes), Buffer.from('0\r\n')]),
  'upper case': (body, sizes) => {
    const bytes = chunk(body, sizes)
    const end = bytes.indexOf(BREAK)
    return Buffer.concat([Buffer.from(bytes.toString('latin1', 0, end).toUpperCase()), bytes.subarray(end)])
  }
}

/** Text after the first chunk's size. */
function insert (bytes, text) {
  const end = bytes.indexOf(BREAK)
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(text), bytes.subarray(end)])
}

module.exports = { frame }
