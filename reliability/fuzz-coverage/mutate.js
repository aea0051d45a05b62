'use strict'

// Makes new inputs from old ones.

const MOST_STEPS = 6
const EDGES = [0, 1, 9, 10, 13, 32, 37, 38, 43, 61, 91, 93, 127, 128, 255]

/**
 * @param {() => number} random in [0, 1)
 * @param {Buffer[]} words of the target
 * @param {number} longest bytes of an input
 * @returns {(bytes: Buffer, other: Buffer) => Buffer} a mutant of `bytes`, which
 *   may have a part of `other`
 */
function createMutator (random, words, longest) {
  const below = (count) => Math.floor(random() * count)
  const byte = () => random() < 0.3 ? EDGES[below(EDGES.length)] : below(256)
  const put = (bytes, at, piece, over) => Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + over)])
  const piece = (bytes) => {
    const start = below(bytes.length)
    return bytes.subarray(start, start + 1 + below(Math.min(bytes.length - start, 64)))
  }

  const steps = [
    (bytes) => put(bytes, below(bytes.length), Buffer.of(byte()), 1),
    (bytes) => put(bytes, below(bytes.length + 1), Buffer.of(byte()), 0),
    (bytes) => flip(bytes, below(bytes.length), 1 << below(8)),
    (bytes) => add(bytes, below(bytes.length), below(17) - 8),
    (bytes) => put(bytes, below(bytes.length), Buffer.alloc(0), 1 + below(random() < 0.5 ? 4 : 32)),
    (bytes) => put(bytes, below(bytes.length + 1), piece(bytes), 0),
    (bytes) => put(bytes, below(bytes.length), piece(bytes), 1 + below(8)),
    (bytes, other) => other.length === 0 ? bytes : put(bytes, below(bytes.length + 1), piece(other), 0),
    (bytes, other) => other.length === 0 ? bytes : Buffer.concat([bytes.subarray(0, below(bytes.length + 1)), other.subarray(below(other.length))])
  ]
  if (words.length > 0) {
    const word = () => words[below(words.length)]
    const insert = (bytes) => put(bytes, below(bytes.length + 1), word(), 0)
    const overwrite = (bytes) => {
      const piece = word()
      return put(bytes, below(bytes.length), piece, piece.length)
    }
    steps.push(insert, insert, overwrite)
  }

  return (bytes, other) => {
    let mutant = bytes
    for (let left = 1 + below(MOST_STEPS); left > 0; left--) {
      mutant = mutant.length === 0 ? Buffer.of(byte()) : steps[below(steps.length)](mutant, other)
    }
    return mutant.length > longest ? mutant.subarray(0, longest) : mutant
  }
}

function flip (bytes, at, bit) {
  const copy = Buffer.from(bytes)
  copy[at] ^= bit
  return copy
}

function add (bytes, at, by) {
  const copy = Buffer.from(bytes)
  copy[at] += by
  return copy
}

module.exports = createMutator
