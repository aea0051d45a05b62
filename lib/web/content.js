'use strict'

const errors = require('../errors')
const findDecoder = require('./inflate')
const BodyStream = require('./body-stream')

/**
 * Gives the content of a Request, its coding undone, to `add`. After an error,
 * reads off the rest up to `drainLimit`. Looks for faults in the middleware's
 * order: see ../read.js.
 *
 * @param {{ limitOf: (request: Request) => number, settings: object }} parser
 * @param {import('./interruption')} interruption
 * @param {(chunk: Uint8Array) => void | Promise<void>} add the next chunk waits for it
 * @param {string | null} [unknownCharset] is refused before the content is read
 */
async function readContent (request, { limitOf, settings }, interruption, add, unknownCharset = null) {
  const { drainLimit, inflate } = settings
  const { body, bodyUsed, headers } = request
  const coding = (headers.get('content-encoding') || 'identity').toLowerCase()
  if (coding !== 'identity' && !inflate) throw errors.codingRefused(coding)
  const decode = coding === 'identity' ? copy : findDecoder(coding)
  const limit = limitOf(request)
  const declared = parseInt(headers.get('content-length'), 10)
  const length = body && coding === 'identity' && declared >= 0 ? declared : null
  interruption.length = length
  const isRead = bodyUsed || body?.locked
  const bodyStream = new BodyStream(request, interruption)
  let decoded = 0 // bytes
  try {
    if (length !== null && length > limit) throw errors.declaredTooLarge(length, limit)
    if (isRead) throw errors.notReadable()
    if (unknownCharset !== null) throw errors.unsupportedCharset(unknownCharset)
    await decode(bodyStream, (chunk) => {
      decoded += chunk.length
      if (decoded > limit) throw errors.receivedTooLarge(decoded, limit)
      return interruption.wait(add(chunk))
    })
    if (length !== null && length !== interruption.received) throw errors.lengthMismatch(length, interruption.received)
  } finally {
    await bodyStream.discard(drainLimit, declared) // after an error, and after the end of a coded body
    bodyStream.close()
  }
}

async function copy (bodyStream, add) {
  for (let chunk; (chunk = await bodyStream.read()) !== null;) await add(chunk)
}

/** @returns {Promise<Uint8Array>} the whole content */
async function readBytes (request, parser, interruption, unknownCharset) {
  let memory = new Uint8Array(4096) // grows; a list of chunks would take much more, if they are small
  let length = 0
  const add = (chunk) => {
    const end = length + chunk.length
    if (end > memory.length) {
      const full = memory
      memory = new Uint8Array(end * 2)
      memory.set(full)
    }
    memory.set(chunk, length)
    length = end
  }
  await readContent(request, parser, interruption, add, unknownCharset)
  return memory.slice(0, length)
}

module.exports = { readBytes, readContent }
