'use strict'

// Bytes -> what happens to a request.

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

/** What can happen, by the low half of a byte; the high half tells how much. */
const ACTS = ['push', 'tick', 'tick', 'turn', 'end', 'destroy', 'reset', 'pause', 'resume', 'setEncoding', 'parse', 'unshift', 'read', 'push', 'turn', 'push']

/**
 * @typedef {object} Step
 * @property {string} act
 * @property {number} [size] bytes
 * @property {Buffer} [piece]
 */

/**
 * Without a step `parse`, or with several, the parser is called once: at the
 * start, or where the first one stands.
 *
 * @param {Buffer} bytes
 * @returns {{ parser: string, options: object, headers: Record<string, string>, steps: Step[] }}
 */
function readScript (bytes) {
  const [choice = 0, framing = 0] = bytes
  const { parser, charset, type = '*/*', verify } = PARSERS[choice & 7]
  const options = { type, limit: LIMITS[(choice >> 3) & 7], ...(verify && { verify }) }
  const headers = { 'content-type': `text/plain${charset === undefined ? '' : `; charset=${charset}`}`, ...framingOf(framing) }
  const steps = [...bytes.subarray(2)].map((byte, at) => stepOf(ACTS[byte & 15], SIZES[byte >> 4], at))
  const start = steps.findIndex(({ act }) => act === 'parse')
  const rest = steps.filter(({ act }, at) => act !== 'parse' || at === start)
  return { parser, options, headers, steps: start === -1 ? [{ act: 'parse' }, ...rest] : rest }
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

module.exports = { readScript, ACTS }
