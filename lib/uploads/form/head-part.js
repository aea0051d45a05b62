'use strict'

// Option `detect`: a function of the app's tells the type of a file by its first bytes, before anything else is asked
// about it.

const { hasValue } = require('../../core/checks')
const { Buffer } = require('../../core/platform')
const { Decision } = require('./form-reader')

const SIZE = 4100 // bytes that libraries such as file-type need
const UNKNOWN = 'application/octet-stream'

/** The beginning of a file; see Part in ./form-reader.js, which then goes on with the file. */
class HeadPart {
  outcome = null
  opensAtEnd = true // a file may be shorter

  /** @param {(head: Buffer) => Decision} ask */
  constructor (ask) {
    this.ask = ask
    this.head = Buffer.alloc(SIZE)
    this.length = 0 // bytes of `head` that have come
  }

  /** @returns {[chunk: Uint8Array, start: number, end: number] | null} null if there have to be more bytes */
  take (chunk, start, end) {
    const isFirst = this.length === 0
    const last = Math.min(end, start + SIZE - this.length)
    this.head.set(chunk.subarray(start, last), this.length)
    this.length += last - start
    if (this.length < SIZE) return null
    if (isFirst) return [chunk, start, end]
    const length = SIZE + end - last
    return [Buffer.concat([this.head, chunk.subarray(last, end)], length), 0, length]
  }

  open () {
    return this.ask(Buffer.from(this.head.subarray(0, this.length)))
  }

  copyChunk () {}
}

/**
 * @param {(head: Uint8Array, file: object) => unknown} detect
 * @param {import('./request-form').Host} host
 * @param {object} file that the app may change without effect
 * @param {(type: string, found: string | null) => object} begin goes on with the type, and with what was found
 * @returns {HeadPart}
 */
function askForType (detect, host, file, begin) {
  return new HeadPart((head) => new Decision(typeOf(detect, host, head, file), (type) => begin(type ?? UNKNOWN, type)))
}

async function typeOf (detect, host, head, file) {
  const type = await host.call(detect, head, { ...file })
  if (!hasValue(type)) return null
  if (typeof type === 'string') return type.toLowerCase()
  throw new TypeError('option detect must return a media type or undefined, or a promise of these')
}

module.exports = askForType
