'use strict'

const errors = require('../core/errors')
const { bound } = require('../core/wording')
const ByteArray = require('../core/body/byte-array')
const BodyStream = require('./body-stream')
const ChunkSource = require('./chunk-source')
const findDecoder = require('./inflate')
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

/** The content of a Request, its coding undone. An error comes behind the chunks before it. */
class Content extends ChunkSource {
  /**
   * @param {Request} request
   * @param {ReturnType<typeof examine>} facts
   * @param {Parser} parser
   * @param {import('./interruption')} interruption
   * @param {string | null} [unknownCharset] is refused before the content is read
   */
  constructor (request, { declared, decode, limit }, { settings }, interruption, unknownCharset = null) {
    super()
    const { body, bodyUsed } = request
    const isRead = bodyUsed || body?.locked
    this.interruption = interruption
    this.limit = limit
    this.drainLimit = settings.drainLimit
    this.declared = declared
    this.length = interruption.length = body && decode === null && declared >= 0 ? declared : null
    this.decoded = 0 // bytes
    this.bodyStream = new BodyStream(isRead ? null : body, interruption)
    this.source = decode === null ? this.bodyStream : decode(this.bodyStream)
    this.fault = this.findObstacle(isRead, unknownCharset) // for the next who asks
    this.take = this.take.bind(this)
    this.end = this.end.bind(this)
  }

  findObstacle (isRead, unknownCharset) {
    const { length, limit } = this
    if (length !== null && length > limit) return errors.declaredTooLarge(length, limit)
    if (isRead) return errors.notReadable()
    return unknownCharset === null ? null : errors.unsupportedCharset(unknownCharset, bound)
  }

  read (onChunk, onError) {
    super.read(onChunk, onError)
    const fault = this.interruption.fault ?? this.fault
    if (fault === null) this.source.read(this.take, this.end)
    else this.end(fault)
  }

  take (chunk) {
    if (chunk === null) return this.end(this.mismatch())
    const room = this.limit - this.decoded
    this.decoded += chunk.length
    if (chunk.length <= room) return this.give(chunk)
    const fault = this.interruption.fault ?? errors.receivedTooLarge(this.decoded, this.limit)
    if (room <= 0) return this.end(fault)
    this.fault = fault
    this.give(chunk.subarray(0, room)) // a loop gets the records that come before
  }

  mismatch () {
    const { length, interruption: { received } } = this
    return length === null || length === received ? null : errors.lengthMismatch(length, received)
  }

  /** @param error null at the end */
  end (error) {
    const tell = () => error === null ? this.give(null) : this.fail(error)
    const closing = this.close()
    if (closing === null) tell()
    else closing.then(tell)
  }

  /**
   * Reads off the rest up to `drainLimit`: after an error, after the end of a
   * coded body, or if a loop does not read on.
   *
   * @returns {Promise<void> | null} null if there is no rest
   */
  close () {
    const { bodyStream, source } = this
    if (source !== bodyStream) source.stop()
    if (!bodyStream.isEnded) return bodyStream.discard(this.drainLimit, this.declared).then(() => bodyStream.close())
    bodyStream.close()
    return null
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
    for (let chunk; (chunk = await bodyStream.pull()) !== null;) if (chunk.length > 0) return true
    return false
  } finally {
    bodyStream.close()
  }
}

/**
 * The content, as it is asked for.
 *
 * @param {Parser} parser
 * @param {import('./interruption')} interruption
 */
const openContent = (request, parser, interruption) =>
  new Content(request, examine(request, parser), parser, interruption)

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
  return join(new Content(request, facts, parser, interruption, unknownCharset), wantsText)
}

/**
 * @param {Content} content
 * @param {boolean} mayShare whether nobody keeps the bytes, so that they need no memory of their own
 */
function join (content, mayShare) {
  return new Promise((resolve, reject) => {
    let first = null // of one chunk, nothing is copied
    let memory = null
    const take = (chunk) => {
      if (chunk === null) {
        const bytes = memory?.view() ?? first ?? new Uint8Array()
        return resolve(mayShare ? bytes : Uint8Array.prototype.slice.call(bytes))
      }
      if (first === null) {
        first = chunk
      } else {
        if (memory === null) (memory = new ByteArray()).append(first)
        memory.append(chunk)
      }
      content.read(take, reject)
    }
    content.read(take, reject)
  })
}

module.exports = { hasContent, openContent, readWhole }
