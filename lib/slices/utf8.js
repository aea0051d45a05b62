'use strict'

// Decodes UTF-8 piece by piece, with the result of decoding all of it at once.

// Bytes, or UTF-16 code units: JSON.parse takes a fraction of a millisecond for
// as much text.
const PIECE_SIZE = 32 * 1024

/**
 * @param {Uint8Array} bytes
 * @returns {number} how many of them can be decoded before later bytes are known;
 *   a last character of two to four bytes is left, whether it is complete or not
 */
function decodableLength (bytes) {
  const { length } = bytes
  let end = length
  while (end > length - 3 && isContinuation(bytes[end - 1])) end--
  return bytes[end - 1] >= 0xC0 ? end - 1 : length
}

function isContinuation (byte) {
  return byte >= 0x80 && byte < 0xC0
}

/**
 * @param {Iterable<Buffer>} chunks may be cut within characters
 * @param {number} from bytes; at the beginning of a character
 * @param {number} to bytes
 * @yields {string} the text between the two
 */
function * decode (chunks, from, to) {
  let rest = Buffer.alloc(0)
  let offset = 0
  for (const chunk of chunks) {
    if (offset >= to) break
    const end = Math.min(to - offset, chunk.length)
    for (let at = Math.max(from - offset, 0); at < end; at += PIECE_SIZE) {
      const bytes = Buffer.concat([rest, chunk.subarray(at, Math.min(at + PIECE_SIZE, end))])
      const length = decodableLength(bytes)
      yield bytes.toString('utf8', 0, length)
      rest = bytes.subarray(length)
    }
    offset += chunk.length
  }
  yield rest.toString()
}

module.exports = { PIECE_SIZE, decodableLength, decode }
