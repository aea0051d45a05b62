'use strict'

const errors = require('../errors')
const ByteArray = require('../body/byte-array')
const findDecoder = require('./inflate')
const BodyStream = require('./body-stream')

/**
 * The content of a Request, its coding undone, as it is asked for. After an
 * error, reads off the rest up to `drainLimit`. Looks for faults in the
 * middleware's order: see ../read.js.
 *
 * @param {{ limitOf: (request: Request) => number, settings: object }} parser
 * @param {import('./interruption')} interruption
 * @param {string | null} [unknownCharset] is refused before the content is read
 */
async function * readContent (request, { limitOf, settings }, interruption, unknownCharset = null) {
  const { drainLimit, inflate } = settings
  const { body, bodyUsed, headers } = request
  const coding = (headers.get('content-encoding') || 'identity').toLowerCase()
  if (coding !== 'identity' && !inflate) throw errors.codingRefused(coding)
  const decode = coding === 'identity' ? (bodyStream) => bodyStream : findDecoder(coding)
  const limit = limitOf(request)
  const declared = parseInt(headers.get('content-length'), 10)
  const length = body && coding === 'identity' && declared >= 0 ? declared : null
  interruption.length = length
  const isRead = bodyUsed || body?.locked
  const bodyStream = new BodyStream(isRead ? null : body, interruption)
  let decoded = 0 // bytes
  try {
    if (length !== null && length > limit) throw errors.declaredTooLarge(length, limit)
    if (isRead) throw errors.notReadable()
    if (unknownCharset !== null) throw errors.unsupportedCharset(unknownCharset)
    for await (const chunk of decode(bodyStream)) {
      const room = limit - decoded
      decoded += chunk.length
      if (decoded > limit) {
        if (room > 0) yield chunk.subarray(0, room) // a loop gets the records that come before
        throw interruption.fault ?? errors.receivedTooLarge(decoded, limit)
      }
      yield chunk
      interruption.check()
    }
    if (length !== null && length !== interruption.received) throw errors.lengthMismatch(length, interruption.received)
  } finally {
    await bodyStream.discard(drainLimit, declared) // after an error, and after the end of a coded body
    bodyStream.close()
  }
}

/**
 * Whether there is content, which only its bytes tell where no length is declared: proxies send requests without any in
 * chunks. They stay to be read.
 */
async function hasContent (request, interruption) {
  if (request.headers.has('content-length') || request.body.locked) return true
  const bodyStream = new BodyStream(request.clone().body, interruption)
  try {
    for await (const { length } of bodyStream) if (length > 0) return true
    return false
  } finally {
    bodyStream.close()
  }
}

/** @returns {Promise<Uint8Array>} the whole content */
async function readWhole (request, parser, interruption, unknownCharset) {
  const memory = new ByteArray()
  for await (const chunk of readContent(request, parser, interruption, unknownCharset)) memory.append(chunk)
  return memory.view().slice()
}

module.exports = { hasContent, readWhole, readContent }
