'use strict'

const errors = require('../core/errors')

const isOurs = errors.trackOurs()
const FORMATS = { br: 'brotli', deflate: 'deflate', gzip: 'gzip', zstd: 'zstd' }

/**
 * The content of a Request, its coding undone. After an error, reads off the
 * rest up to `drainLimit`: servers close the connection if a body is cancelled.
 */
async function readContent (request, { drainLimit, inflate, limit }) {
  const { body, bodyUsed, headers, signal } = request
  if (bodyUsed || body.locked) throw errors.notReadable()
  const coding = (headers.get('content-encoding') || 'identity').toLowerCase()
  if (coding !== 'identity' && !inflate) throw errors.codingRefused(coding)
  const decoder = coding === 'identity' ? null : createDecoder(coding)
  const declared = parseInt(headers.get('content-length'), 10)
  const length = decoder === null && declared >= 0 ? declared : null
  let piped
  try {
    if (length !== null && length > limit) throw errors.declaredTooLarge(length, limit)
    piped = decoder?.writable && body.pipeTo(decoder.writable, { preventCancel: true })
    piped?.catch(() => {}) // the decoder reports it
    const bytes = await collect(decoder?.readable ?? body, limit)
    if (length !== null && length !== bytes.length) throw errors.lengthMismatch(length, bytes.length)
    return bytes
  } catch (error) {
    decoder?.readable.cancel().catch(() => {}) // ends the pipe
    await piped?.catch(() => {})
    const discarded = declared > drainLimit ? body.cancel() : drain(body.getReader(), drainLimit)
    await discarded.catch(() => {}) // the client is gone
    if (isOurs(error)) throw error
    throw signal?.aborted ? errors.aborted(length, null) : errors.unreadable(error)
  }
}

/** 415 for a coding that the runtime cannot undo. */
function createDecoder (coding) {
  try {
    return new DecompressionStream(FORMATS[coding])
  } catch {
    throw errors.unsupportedCoding(coding, Object.keys(FORMATS))
  }
}

async function collect (stream, limit) {
  const reader = stream.getReader()
  let bytes = new Uint8Array(4096) // grows; a list of chunks would take much more, if they are small
  let received = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return bytes.slice(0, received)
      if (!ArrayBuffer.isView(value)) throw errors.encodingSet() // strings
      const chunk = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      const end = received + chunk.length
      if (end > limit) throw errors.receivedTooLarge(end, limit)
      const full = bytes
      if (end > full.length) (bytes = new Uint8Array(end * 2)).set(full)
      bytes.set(chunk, received)
      received = end
    }
  } finally {
    reader.releaseLock()
  }
}

async function drain (reader, limit) {
  for (let drained = 0; drained <= limit;) {
    const { done, value } = await reader.read()
    if (done) return
    drained += value.byteLength
  }
  await reader.cancel()
}

/** @returns {((bytes: Uint8Array) => string) | null} null for a charset that the runtime does not know */
function decoderOf (charset) {
  if (charset === 'iso-8859-1') return decodeLatin1
  try {
    const decoder = new TextDecoder(charset)
    return (bytes) => decoder.decode(bytes)
  } catch {
    return null
  }
}

/** What TextDecoder calls so is windows-1252. */
const decodeLatin1 = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

module.exports = { decoderOf, readContent }
