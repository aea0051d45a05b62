'use strict'

// The ways in which one message can arrive: cut at other places, each time the
// same. A parser must not show which it was.

const { createRandom, randomInt } = require('../../tools/random')

const BYTEWISE = 400 // bytes; longer bodies are not sent byte by byte

/** Way -> pieces, each written on its own; the first goes out together with the header. */
function arrivals (body) {
  const none = Buffer.alloc(0)
  const ways = { together: [body] }
  if (body.length === 0) return ways
  ways.afterwards = [none, body]
  if (body.length > 1) ways.halves = [none, ...cut(body, [body.length >> 1])]
  if (body.length <= BYTEWISE) ways.bytes = [none, ...Array.from(body, (byte) => Buffer.of(byte))]
  ways.random = cut(body, randomCuts(body.length))
  return ways
}

function cut (body, places) {
  const pieces = []
  let start = 0
  for (const place of [...places, body.length]) {
    pieces.push(body.subarray(start, place))
    start = place
  }
  return pieces
}

/** Up to eight places, by a generator seeded with the length. */
function randomCuts (length) {
  const random = createRandom(length)
  return Array.from({ length: Math.min(8, length) }, () => randomInt(length, random)).sort((a, b) => a - b)
}

module.exports = { arrivals, cut }
