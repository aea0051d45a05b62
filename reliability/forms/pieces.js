'use strict'

// How a body is cut into the pieces in which it arrives.

const { int, oneOf, upTo } = require('../fuzz/generate/draw')

const MOST = 200 // pieces

/** Lengths of pieces, over and over. */
const anySizes = oneOf([2, [[1e6]]], [2, upTo(3, int(1, 100), 1)], [1, upTo(3, int(1, 8), 1)])

/** @param {Buffer | string} body a text with a character for each byte @param {number[]} sizes */
function cut (body, sizes) {
  const bytes = Buffer.from(body, 'latin1')
  const pieces = []
  for (let at = 0; at < bytes.length;) {
    const size = pieces.length < MOST ? sizes[pieces.length % sizes.length] : bytes.length
    pieces.push(bytes.subarray(at, at += size))
  }
  return pieces
}

module.exports = { anySizes, cut }
