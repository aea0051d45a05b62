'use strict'

// Chunked transfer coding (RFC 9112, section 7.1), for messages made by hand.

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** @param {Buffer | string} piece one that is empty stays so: it would be the last chunk */
function asChunk (piece) {
  const bytes = Buffer.from(piece)
  if (bytes.length === 0) return bytes
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

module.exports = { asChunk, LAST_CHUNK }
