'use strict'

// Bytes -> what happens to a request, and what code beside the parser observes.

const PARSERS = [
  { parser: 'raw' },
  { parser: 'text' },
  { parser: 'json' },
  { parser: 'raw', verify: () => {} },
  { parser: 'raw', type: 'text/html' }, // of another type than the request: not read
  { parser: 'text', charset: 'x-unknown' },
  { parser: 'text', charset: 'x-unknown', verify: () => {} },
  { parser: 'json', charset: 'utf-16' }
]
const LIMITS = [1000, 0, 1, 5, 64, 100, 1e6, -1]
const SIZES = [1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 64, 100, 200, 500, 600, 1100] // bytes
const MOST_PARSES = 2

/** What can happen, by the low half of a byte; the high half is a size. */
const ACTS = ['push', 'tick', 'microtask', 'turn', 'end', 'destroy', 'reset', 'pause', 'resume', 'setEncoding', 'parse', 'unshift', 'read', 'answer', 'listen', 'push']

/** What code beside the parser observes, by the bits of a byte. */
const OBSERVERS = ['ownOn', 'prototypeOn', 'listenersBefore', 'listenersAfter', 'ownEmit', 'stateLater', 'onceBefore', 'prepended']

/**
 * @typedef {object} Step
 * @property {string} act
 * @property {number} [size] bytes
 * @property {Buffer} [piece]
 */

/**
 * Without a step `parse`, the parser is called once, at the start; with more
 * than two, at the first two.
 *
 * @param {Buffer} bytes
 * @returns {{ parser: string, options: object, headers: Record<string, string>, observers: Set<string>, steps: Step[] }}
 */
function readScript (bytes) {
  const [choice = 0, framing = 0, observing = 0] = bytes
  const { parser, charset, type = '*/*', verify } = PARSERS[choice & 7]
  const options = { type, limit: LIMITS[(choice >> 3) & 7], ...(verify && { verify }) }
  const headers = { 'content-type': `text/plain${charset === undefined ? '' : `; charset=${charset}`}`, ...framingOf(framing) }
  const observers = new Set(OBSERVERS.filter((_, bit) => observing & (1 << bit)))
  const steps = [...bytes.subarray(3)].map((byte, at) => stepOf(ACTS[byte & 15], SIZES[byte >> 4], at))
  let parses = 0
  const some = steps.filter(({ act }) => act !== 'parse' || ++parses <= MOST_PARSES)
  return { parser, options, headers, observers, steps: parses === 0 ? [{ act: 'parse' }, ...some] : some }
}

function framingOf (byte) {
  if (byte === 0) return { 'transfer-encoding': 'chunked' }
  if (byte === 255) return { 'content-length': '5', 'transfer-encoding': 'chunked' }
  if (byte === 254) return { 'transfer-encoding': 'chunked', 'content-length': 'x' }
  if (byte === 253) return { 'content-length': '' }
  return { 'content-length': String(byte) }
}

function stepOf (act, size, at) {
  if (act === 'push' || act === 'unshift') return { act, size, piece: Buffer.alloc(size, `${at % 10}`) }
  return act === 'read' ? { act, size } : { act }
}

module.exports = { readScript, ACTS, OBSERVERS }
