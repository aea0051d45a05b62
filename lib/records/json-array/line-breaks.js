'use strict'

const LF = 0x0A
const CR = 0x0D
const MAX_ROUNDS = 255 // words, of which a lane of eight bits holds the sum

/**
 * @param {Uint8Array} bytes
 * @param {string} text that they are
 * @returns {number} how many lines end in it: by CR, LF, or CR LF
 */
module.exports = function countLineBreaks (bytes, text) {
  const lineFeeds = text.includes('\n') ? countLineFeeds(bytes) : 0
  return text.includes('\r') ? lineFeeds + countLoneReturns(bytes) : lineFeeds
}

/** By words, which takes a quarter of the time: text with indentation has a line for each 20 bytes. */
function countLineFeeds (bytes) {
  const { buffer, byteOffset, length } = bytes
  const first = -byteOffset & 3
  if (length < first) return countSingly(bytes, 0, length)
  const words = new Int32Array(buffer, byteOffset + first, (length - first) >> 2)
  let count = countSingly(bytes, 0, first) + countSingly(bytes, first + words.length * 4, length)
  for (let start = 0; start < words.length; start += MAX_ROUNDS) {
    const end = Math.min(start + MAX_ROUNDS, words.length)
    const lanes = sumOthers(words, start, end)
    count += (end - start) * 4 - (lanes & 255) - (lanes >>> 8 & 255) - (lanes >>> 16 & 255) - (lanes >>> 24)
  }
  return count
}

function countSingly (bytes, start, end) {
  let count = 0
  for (let at = start; at < end; at++) if (bytes[at] === LF) count++
  return count
}

function sumOthers (words, start, end) {
  let lanes = 0
  for (let at = start; at < end; at++) lanes = (lanes + findOthers(words[at])) | 0
  return lanes
}

/** @returns {number} 1 in each byte that is not LF: XOR leaves a bit of it, which the sum carries to the highest */
function findOthers (word) {
  const rest = word ^ 0x0A0A0A0A
  return ((rest & 0x7F7F7F7F) + 0x7F7F7F7F | rest) >>> 7 & 0x01010101
}

function countLoneReturns (bytes) {
  let count = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === CR && bytes[at + 1] !== LF) count++
  return count
}
