'use strict'

// Where UTF-8 can be cut, so that decoding it piece by piece gives the same as all at once.

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

module.exports = { PIECE_SIZE, decodableLength }
