'use strict'

const errors = require('../core/errors')
const ByteArray = require('../core/body/byte-array')
const findDecoder = require('./inflate')
const BodyStream = require('./body-stream')
const { isServed, takeWhole } = require('./whole')

/**
 * @typedef {object} Parser
 * @property {(request: Request) => number} limitOf
 * @property {object} settings
 */

/** What the header says of the content. Looks for faults in the middleware's order: see ../read.js. */
function examine (request, { limitOf, settings: { inflate } }) {
  const { headers } = request
  const coding = (headers.get('content-encoding') || 'identity').toLowerCase()
  if (coding !== 'identity' && !inflate) throw errors.codingRefused(coding)
  const decode = coding === 'identity' ? null : findDecoder(coding)
  const limit = limitOf(request)
  return { declared: parseInt(headers.get('content-length'), 10), decode, limit }
}

/**
 * The content of a Request, its coding undone, as it is asked for.
 *
 * @param {Parser} parser
 * @param {import('./interruption')} interruption
 */
const readContent = (request, parser, interruption) =>
  readPieces(request, examine(request, parser), parser, interruption, null)

/**
 * After an error, reads off the rest up to `drainLimit`.
 *
 * @param {string | null} unknownCharset is refused before the content is read
 */
async function * readPieces (request, { declared, decode, limit }, { settings }, interruption, unknownCharset) {
  const { drainLimit } = settings
  const { body, bodyUsed } = request
  const length = body && decode === null && declared >= 0 ? declared : null
  interruption.length = length
  const isRead = bodyUsed || body?.locked
  const bodyStream = new BodyStream(isRead ? null : body, interruption)
  let decoded = 0 // bytes
  try {
    if (length !== null && length > limit) throw errors.declaredTooLarge(length, limit)
    if (isRead) throw errors.notReadable()
    if (unknownCharset !== null) throw errors.unsupportedCharset(unknownCharset)
    for await (const chunk of decode === null ? bodyStream : decode(bodyStream)) {
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

/**
 * @param {Parser} parser
 * @param {string | null} unknownCharset is refused before the content is read
 * @param {boolean} wantsText whether a text will do, if the content comes in one piece
 * @returns {Promise<Uint8Array | string>} the whole content
 */
function readWhole (request, parser, interruption, unknownCharset, wantsText) {
  const facts = examine(request, parser)
  const { declared, decode, limit } = facts
  const isFramed = decode === null && declared > 0 && declared <= limit && !request.headers.has('transfer-encoding')
  // In one piece, nothing would tell what was received until the time is over.
  const inOnePiece = isFramed && unknownCharset === null && parser.settings.timeout === Infinity &&
    isServed(request) && !request.bodyUsed
  if (inOnePiece) return takeWhole(request, declared, wantsText, interruption)
  return joinPieces(readPieces(request, facts, parser, interruption, unknownCharset))
}

async function joinPieces (pieces) {
  const memory = new ByteArray()
  for await (const piece of pieces) memory.append(piece)
  return memory.view().slice()
}

module.exports = { hasContent, readWhole, readContent }
