'use strict'

// For everybody: JSON.parse, in slices between which others have their turn.

const { isUint8Array } = require('node:util/types')
const { readJsonDepth, readPoisoning, readSlice } = require('../options')
const Chunks = require('./chunks')
const parse = require('./parse')
const Turns = require('./turns')
const { Encoded } = require('./utf8')

/**
 * Parses JSON (RFC 8259) like JSON.parse, with the same value or the same
 * error, but works for about a millisecond in each turn of the event loop and
 * lets everything else have its turn in between. All calls share the loop: in
 * each turn, one of them works.
 *
 * @param {string | Uint8Array | Iterable<Uint8Array>} source text, or its
 *   UTF-8, which may be cut anywhere and must not change meanwhile
 * @param {object} [options]
 * @param {AbortSignal} [options.signal] stops the work
 * @param {number} [options.slice=1] ms to work in a turn
 * @param {number} [options.depth=Infinity] deepest nesting
 * @param {'error' | 'remove' | 'ignore'} [options.onProtoPoisoning='ignore']
 *   what to do about a key `__proto__`
 * @param {'error' | 'remove' | 'ignore'} [options.onConstructorPoisoning='ignore']
 *   what to do about a key `constructor` that holds a key `prototype`
 * @returns {Promise<any>} rejected with a SyntaxError, as JSON.parse throws it;
 *   with a RangeError for what is nested too deep; with the signal's reason
 * @throws {TypeError} for a source or an option that is wrong
 */
function parseInSlices (source, options) {
  if (typeof options?.reviver === 'function') throw new TypeError('option reviver cannot be here: its calls cannot be cut into slices')
  const turns = new Turns(readSlice('slice', options?.slice), readSignal(options))
  const depth = readJsonDepth(options)
  const chunks = chunksOf(source)
  const settings = {
    protoAction: readPoisoning(options, 'onProtoPoisoning'),
    constructorAction: readPoisoning(options, 'onConstructorPoisoning'),
    depth,
    tooDeep: () => new RangeError(`the JSON exceeded the depth of ${depth}`)
  }
  return turns.run(() => parse(chunks, turns, settings))
}

/** @returns {() => void} throws once it is aborted */
function readSignal (options) {
  const signal = options?.signal ?? undefined
  if (signal === undefined) return () => {}
  if (typeof signal.throwIfAborted !== 'function') throw new TypeError('option signal must be an AbortSignal')
  return () => signal.throwIfAborted()
}

function chunksOf (source) {
  if (typeof source === 'string') return new Encoded(source)
  if (isUint8Array(source)) return chunksOf([source])
  if (typeof source?.[Symbol.iterator] !== 'function') {
    throw new TypeError('the source must be a string, a Uint8Array, or an iterable of Uint8Arrays')
  }
  const list = Array.from(source, toBuffer).filter((chunk) => chunk.length > 0)
  return new Chunks(list, list.reduce((sum, chunk) => sum + chunk.length, 0)).withoutMark()
}

function toBuffer (bytes) {
  if (!isUint8Array(bytes)) throw new TypeError('each chunk of the source must be a Uint8Array')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

module.exports = parseInSlices
