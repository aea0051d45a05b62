'use strict'

const { precheck } = require('../core/body/match')
const errors = require('../core/errors')
const awaitFirstByte = require('../core/request/first-byte')
const { truncate } = require('../core/wording')
const { MAX_CODED } = require('../core/coding/codings')
const ChunkList = require('../core/source/chunk-list')
const BoundedSource = require('../core/source/bounded-source')
const { DigestedSource } = require('../core/source/content-digest')
const Source = require('../core/source/source')
const BodyStream = require('./body-stream')
const { decodeAtOnce, findDecoder } = require('./decompression')
const { declarationOf, mediaTypeOf } = require('./header')
const { responseOf } = require('./node')
const { isBounded, isOfSrvx, takeWhole, unreadMessageOf } = require('./whole')

/**
 * @typedef {object} Parser
 * @property {(request: Request) => number} limitOf
 * @property {object} settings
 * @property {(fields: object) => Error} [createTooLarge] instead of body-parser's error
 */

const MAX_TAKEN = 64 * 1024 // bytes of a coded body that is taken in one piece, beside which its content is in memory

/** What the header says of the content. Looks for faults in the middleware's order: see ../read.js. */
function examine ({ parser, request }, length) {
  const { createTooLarge, limitOf, openDigest, settings: { inflate } } = parser
  const coding = (request.headers.get('content-encoding') || 'identity').toLowerCase()
  if (coding !== 'identity' && !inflate) throw errors.codingRefused(coding)
  const decode = coding === 'identity' ? null : findDecoder(coding)
  const limit = limitOf(request)
  const digest = openDigest === null ? null : openDigest(request.headers.get('content-digest'))
  return { coding, createTooLarge, declared: parseInt(length, 10), decode, digest, limit }
}

/** The content of a Request, its coding undone. Whoever opens it drains it. */
class Content extends BoundedSource {
  /**
   * @param {Source} body is drained and stopped when this is over
   * @param {ReturnType<typeof examine>} facts
   * @param {number} drainLimit bytes
   * @param {import('./interruption')} interruption
   */
  constructor (body, facts, drainLimit, interruption) {
    const { declared, decode, digest } = facts
    const coded = digest === null ? body : new DigestedSource(body, digest)
    super(decode === null ? coded : decode(coded), facts, interruption)
    this.body = body
    this.declared = declared
    this.drainLimit = drainLimit
    this.drained = null // a promise, once the rest is being read off
    this.proceed = this.proceed.bind(this)
  }

  /** While the budget has no room, nothing is asked. */
  ask () {
    this.lifetime.onceFree(this.proceed)
  }

  /** @param {Error | null} error why there is no room in time */
  proceed (error) {
    this.refusal ??= error
    if (!this.isOver) super.ask()
  }

  /** What was kept is not needed any more, unless the content has ended. */
  stop (fault) {
    if (!this.isOver) this.lifetime.releaseContent()
    super.stop(fault)
  }

  /** Nobody waits for the next chunk, so a refusal that it would get is told at once. */
  pause () {
    if (this.refusal !== null) this.lifetime.tell(this.refusal)
  }

  /** @param {unknown} [fault] null at the end */
  end (fault = null) {
    if (fault !== null) this.lifetime.releaseContent()
    super.end(fault)
  }

  /**
   * Nothing more is wanted. Reads off the rest up to `drainLimit`: after an error, after the end of a coded body, or if
   * a loop does not read on.
   *
   * @returns {Promise<void> | null} null if there is no rest
   */
  drain () {
    this.stop()
    const { body, declared, drainLimit, source } = this
    if (source !== body) source.stop()
    if (this.drained !== null || body.isOver) return this.drained
    const rest = declared > drainLimit ? Promise.resolve() : body.drain(drainLimit)
    this.drained = rest.then(() => body.stop())
    return this.drained
  }
}

/**
 * Whether there is content, or was. Where no length is declared, only its bytes tell, which stay to be read: proxies
 * send requests without any in chunks.
 */
async function hasContent (request, interruption) {
  const { isChunked, length } = declarationOf(request)
  if (length !== null) return isChunked || length > 0
  const message = unreadMessageOf(request)
  if (message !== null) return messageHasContent(message, interruption)
  if (!request.body) return isChunked // as in the middleware
  if (request.bodyUsed || request.body.locked) return true
  return streamHasContent(request, interruption)
}

/** Takes nothing of the message, whose rest Node.js discards after the response if nobody reads it. */
function messageHasContent (message, interruption) {
  return new Promise((resolve, reject) => {
    const tell = (error, hasContent) => error === null ? resolve(hasContent) : reject(error)
    const stop = awaitFirstByte(message, responseOf(message), tell)
    interruption.onFail((fault) => {
      stop()
      reject(fault)
    })
  })
}

async function streamHasContent (request, interruption) {
  const { body } = request.clone()
  const bodyStream = new BodyStream(body, interruption)
  try {
    for (let chunk; (chunk = await bodyStream.pull()) !== null;) if (chunk.length > 0) return true
    return false
  } finally {
    bodyStream.stop()
    body.cancel().catch(ignore) // else it would keep what is read of the request; that alone cancels nothing below
  }
}

/** A body that has ended stays locked. */
function ignore () {}

/**
 * For content of another type than the reader's.
 *
 * @throws {Error} 415, unless there is no content
 */
async function refuseContent (request, interruption) {
  interruption.isAwaited = false // no more than its first byte is
  if (await hasContent(request, interruption)) throw errors.unsupportedMediaType(truncate(mediaTypeOf(request)))
}

/**
 * What is read of a Request: see ./read.js, and the other readers.
 *
 * @typedef {object} Reading
 * @property {Request} request
 * @property {Parser} parser
 * @property {import('./interruption')} interruption
 * @property {import('../core/body/match').Match} match
 */

/** The content, as it is asked for. @param {Reading} reading */
const openContent = (reading) => open(reading, examine(reading, reading.request.headers.get('content-length')))

/** @param {Reading} reading */
function open ({ interruption, match, parser, request }, facts) {
  const { declared, decode, limit } = facts
  const { body } = request
  const length = body && decode === null && declared >= 0 ? declared : null
  interruption.length = length
  if (decode !== null) interruption.lane = 'stream'
  const obstacle = precheck({ lane: interruption.lane, length, limit, match, parser, req: request })
  const stream = new BodyStream(parser.isUnreadable(request) ? null : body, interruption, request)
  const content = new Content(stream, facts, parser.settings.drainLimit, interruption)
  content.refusal = obstacle
  return content
}

/**
 * @param {import('./read').Reading} reading takes the whole content, or fails
 * @param {import('./header').Declaration} declaration
 */
function readWhole (reading, { isChunked, length }) {
  const { interruption, match, request, wantsText } = reading
  const facts = examine(reading, length)
  const { declared, decode, digest, limit } = facts
  const isSure = declared > 0 && declared <= limit && !isChunked && match.decode !== null &&
    !request.bodyUsed && isBounded(request, declared)
  const inOnePiece = isSure && digest === null && ((decode === null && wantsText) || !isOfSrvx(request)) &&
    interruption.mayTakeWhole(declared)
  if (decode === null && inOnePiece) return takeWhole(reading, declared, (whole) => reading.take(whole))
  const onCoded = (bytes) => decodeWhole(bytes, { ...facts, digest: null }, reading)
  if (inOnePiece && declared <= MAX_TAKEN) return takeWhole(reading, null, onCoded)
  if (!isSure || decode === null || declared > MAX_CODED) {
    return join(open(reading, facts), reading)
  }
  interruption.lane = 'one-shot'
  const coded = open(reading, { declared: NaN, decode: null, digest, limit })
  join(coded, { wantsText: true, take: onCoded, fail: (error) => reading.fail(error) })
}

/** @param {Uint8Array} bytes the whole coded body: small ones are decoded in one call */
function decodeWhole (bytes, facts, reading) {
  const { interruption } = reading
  const coded = Source.of(bytes)
  const decoded = decodeAtOnce(facts.coding, bytes)
  interruption.source = coded
  interruption.lane = decoded === null ? 'stream' : 'one-shot'
  const content = decoded === null
    ? new Content(coded, facts, 0, interruption)
    : new Content(Source.of(decoded), { ...facts, decode: null }, 0, interruption)
  join(content, reading)
}

/**
 * @param {Content} content
 * @param {Pick<import('./read').Reading, 'wantsText' | 'take' | 'fail'>} receiver
 */
function join (content, receiver) {
  const list = new ChunkList()
  const fail = (error) => onceDrained(content, () => receiver.fail(error))
  const take = (chunk) => {
    if (chunk === null) return onceDrained(content, end)
    const error = content.lifetime.reserve(chunk.length)
    if (error !== null) return fail(error)
    list.write(chunk)
    content.read(take, fail)
  }
  const end = () => {
    try {
      const bytes = joinList(list)
      if (bytes === null) receiver.fail(errors.notReadable())
      else receiver.take(receiver.wantsText ? bytes : copyOf(bytes))
    } catch (error) { // there is no memory for it
      receiver.fail(error)
    }
  }
  content.read(take, fail)
}

/** Once the rest is read off, if there is any. */
function onceDrained (content, callback) {
  const drained = content.drain()
  if (drained === null) callback()
  else drained.then(callback)
}

/** @returns {Uint8Array | null} null if other code has taken the memory of a chunk since it came */
function joinList (list) {
  const pieces = list.pieces()
  if (pieces.some(({ length }) => length === 0)) return null
  return pieces.length === 1 ? pieces[0] : list.join()
}

/** In memory of its own; not by `slice`, which makes a Buffer of a Buffer. */
const copyOf = (bytes) => new Uint8Array(bytes)

module.exports = { hasContent, openContent, readWhole, refuseContent }
