'use strict'

const LF = 0x0A
const CR = 0x0D
const MAX_ROUNDS = 255 // of which a lane of eight bits holds the sum

/**
 * @param {Uint8Array} bytes
 * @param {string} text that they are
 * @returns {number} how many lines end in it: by CR, LF, or CR LF
 */
module.exports = function countLineBreaks (bytes, text) {
  const lineFeeds = text.includes('\n') ? countLineFeeds(bytes) : 0
  return text.includes('\r') ? lineFeeds + countLoneReturns(bytes) : lineFeeds
}

/** Four bytes at a time, which takes a third of the time: text with indentation has a line for each 20 bytes. */
function countLineFeeds (bytes) {
  const { buffer, byteOffset, length } = bytes
  const first = -byteOffset & 3
  if (length < first) return countSingly(bytes, 0, length)
  const words = new Int32Array(buffer, byteOffset + first, (length - first) >> 2)
  let count = countSingly(bytes, 0, first) + countSingly(bytes, first + words.length * 4, length)
  for (let start = 0; start < words.length; start += MAX_ROUNDS) {
    const lanes = sumLanes(words, start, Math.min(start + MAX_ROUNDS, words.length))
    count += (lanes & 255) + (lanes >>> 8 & 255) + (lanes >>> 16 & 255) + (lanes >>> 24)
  }
  return count
}

function countSingly (bytes, start, end) {
  let count = 0
  for (let at = start; at < end; at++) if (bytes[at] === LF) count++
  return count
}

/** Of each byte of a word, what becomes zero by XOR is LF: its highest bit is set in `found`, and no other bit. */
function sumLanes (words, start, end) {
  let lanes = 0
  for (let at = start; at < end; at++) {
    const word = words[at] ^ 0x0A0A0A0A
    const found = ~(((word & 0x7F7F7F7F) + 0x7F7F7F7F) | word | 0x7F7F7F7F)
    lanes = (lanes + (found >>> 7)) | 0
  }
  return lanes
}

function countLoneReturns (bytes) {
  let count = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === CR && bytes[at + 1] !== LF) count++
  return count
}
