'use strict'

// fast-body-parser/json-slices.

const { setMaxListeners } = require('node:events')
const { isUint8Array } = require('node:util/types')
const { count, milliseconds, optional, poisoningAction, warnOfUnknown } = require('../core/checks')
const { markHandled } = require('../core/handled-promise')
const parseChunks = require('./parse-chunks')
const Task = require('./scheduler')
const { TextChunks, withoutByteOrderMark } = require('./utf8')

const NAMES = new Set(['depth', 'onConstructorPoisoning', 'onProtoPoisoning', 'reviver', 'signal', 'slice'])
const abortSignal = optional((value) => typeof value.throwIfAborted === 'function', 'an AbortSignal')

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
  warnOfUnknown(options, NAMES)
  if (typeof options?.reviver === 'function') {
    throw new TypeError('option reviver is not supported: its calls cannot be divided into slices')
  }
  const slice = milliseconds(options?.slice, 'slice', 0.25)
  const signal = abortSignal(options?.signal, 'signal')
  const depth = count(options?.depth, 'depth', Infinity)
  const settings = {
    depth,
    tooDeep: () => new RangeError(`the JSON exceeded the depth of ${depth}`),
    onProtoPoisoning: poisoningAction(options?.onProtoPoisoning, 'onProtoPoisoning', 'ignore'),
    onConstructorPoisoning: poisoningAction(options?.onConstructorPoisoning, 'onConstructorPoisoning', 'ignore')
  }
  const chunks = toChunks(source)
  if (signal !== undefined) setMaxListeners(0, signal) // one signal may cancel many calls; as Node's fetch does
  const task = new Task(slice, signal)
  return markHandled(task.run(() => parseChunks(chunks, task, settings)))
}

function toChunks (source) {
  if (typeof source === 'string') return new TextChunks(source)
  if (isUint8Array(source)) return toChunks([source])
  if (typeof source?.[Symbol.iterator] !== 'function') {
    throw new TypeError('the source must be a string, a Uint8Array, or an iterable of Uint8Arrays')
  }
  return withoutByteOrderMark(Array.from(source, toBuffer))
}

/** Shares the memory of the bytes. */
function toBuffer (bytes) {
  if (!isUint8Array(bytes)) throw new TypeError('each chunk of the source must be a Uint8Array')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

module.exports = parseInSlices
