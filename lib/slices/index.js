'use strict'

// fast-body-parser/json-slices. This folder needs no other than ../platform.

const { setMaxListeners } = require('node:events')
const { isUint8Array } = require('node:util/types')
const Chunks = require('./chunks')
const parse = require('./parse-chunks')
const Task = require('./scheduler')
const TextChunks = require('./text-chunks')

/**
 * Parses JSON (RFC 8259) with the result of JSON.parse, but in time slices: it
 * works for a quarter of a millisecond in a turn of the event loop, and lets
 * everything else run between two slices. All calls share the loop: one of them
 * works in a turn; short ones need not wait for long ones (scheduler.js).
 *
 * @param {string | Uint8Array | Iterable<Uint8Array>} source text, or its UTF-8
 *   in one piece or in chunks, which may be cut anywhere; the bytes must not
 *   change before the promise is settled
 * @param {object} [options]
 * @param {AbortSignal} [options.signal] cancels the work
 * @param {number} [options.slice=0.25] milliseconds to work in a turn
 * @param {number} [options.depth=Infinity] deepest nesting that is accepted
 * @param {'error' | 'remove' | 'ignore'} [options.onProtoPoisoning='ignore']
 *   what to do about a key `__proto__`
 * @param {'error' | 'remove' | 'ignore'} [options.onConstructorPoisoning='ignore']
 *   what to do about a key `constructor` whose value has a key `prototype`
 * @returns {Promise<any>} rejected with the SyntaxError of JSON.parse if the
 *   text is not JSON, with a SyntaxError for a poisoned key, with a RangeError
 *   for nesting deeper than `depth`, or with the reason of the signal
 * @throws {TypeError} for an invalid source or option
 */
function parseInSlices (source, options) {
  if (typeof options?.reviver === 'function') {
    throw new TypeError('option reviver is not supported: its calls cannot be divided into slices')
  }
  const { slice, signal, depth, onProtoPoisoning, onConstructorPoisoning } = readOptions(options)
  const chunks = toChunks(source)
  const task = new Task(slice)
  const cancel = () => task.cancel(signal.reason)
  if (signal?.aborted) cancel()
  if (signal !== undefined) {
    setMaxListeners(0, signal) // one signal may cancel many calls; as Node's fetch does
    signal.addEventListener('abort', cancel)
  }
  return task.run(() => parse(chunks, task, {
    protoAction: onProtoPoisoning,
    constructorAction: onConstructorPoisoning,
    depth,
    tooDeep: () => new RangeError(`the JSON exceeded the depth of ${depth}`)
  })).finally(() => signal?.removeEventListener('abort', cancel))
}

const POISONING = {
  fallback: 'ignore',
  expected: "one of 'error', 'remove' and 'ignore'",
  accepts: (value) => value === 'error' || value === 'remove' || value === 'ignore'
}

const OPTIONS = {
  slice: {
    fallback: 0.25,
    expected: 'a positive number of milliseconds',
    accepts: (value) => typeof value === 'number' && value > 0
  },
  signal: {
    fallback: undefined,
    expected: 'an AbortSignal',
    accepts: (value) => value === undefined || typeof value.throwIfAborted === 'function'
  },
  depth: {
    fallback: Infinity,
    expected: 'zero, a positive integer or Infinity',
    accepts: (value) => value === Infinity || (Number.isInteger(value) && value >= 0)
  },
  onProtoPoisoning: POISONING,
  onConstructorPoisoning: POISONING
}

/** Null and undefined mean the default; other options are ignored. */
function readOptions (options) {
  const settings = {}
  for (const [name, { fallback, expected, accepts }] of Object.entries(OPTIONS)) {
    settings[name] = options?.[name] ?? fallback
    if (!accepts(settings[name])) throw new TypeError(`option ${name} must be ${expected}`)
  }
  return settings
}

function toChunks (source) {
  if (typeof source === 'string') return new TextChunks(source)
  if (isUint8Array(source)) return toChunks([source])
  if (typeof source?.[Symbol.iterator] !== 'function') {
    throw new TypeError('the source must be a string, a Uint8Array, or an iterable of Uint8Arrays')
  }
  return Chunks.from(Array.from(source, toBuffer)).withoutByteOrderMark()
}

/** Shares the memory of the bytes. */
function toBuffer (bytes) {
  if (!isUint8Array(bytes)) throw new TypeError('each chunk of the source must be a Uint8Array')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

module.exports = parseInSlices
