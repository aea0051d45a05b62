'use strict'

const errors = require('../errors')
const { sendContinue } = require('../request/continue')
const { drainRest } = require('../request/drain')
const BoundedSource = require('../source/bounded-source')
const { memoryOf } = require('../source/chunk-list')
const { DigestedSource } = require('../source/content-digest')
const DecodedSource = require('../source/decoded-source')
const StreamSource = require('../source/stream-source')
const { checkReadable } = require('./match')

/** The content of a request, its coding undone, from `beginStep` of its exchange to `endStep`. */
class RequestContent extends BoundedSource {
  /**
   * @param {import('./exchange')} exchange
   * @param {import('../../compose').CreateDecoder | null} createDecoder null without a content coding; may throw
   * @param {(error: unknown) => void} onFault is told at once, and once, what ends the reading, as nobody may wait
   * @throws {Error} why the content cannot be read
   */
  constructor (exchange, createDecoder, onFault) {
    const digest = exchange.parser.openDigest(exchange.req.headers['content-digest'])
    checkReadable(exchange)
    const decoder = createDecoder === null ? null : createDecoder()
    if (decoder !== null) exchange.setLane('stream')
    const fail = (error) => this.fail(error)
    const onWhole = () => this.onWhole()
    const stream = new StreamSource(exchange, fail, decoder === null ? onWhole : ignore)
    const { limit, parser: { createTooLarge } } = exchange
    const body = digest === null ? stream : new DigestedSource(stream, digest)
    decoder?.on('end', onWhole)
    super(decoder === null ? body : new DecodedSource(body, decoder), { createTooLarge, limit }, exchange)
    this.exchange = exchange
    this.stream = stream
    this.isCoded = decoder !== null
    if (this.isCoded || exchange.req.httpVersionMajor === 2) this.take = copyShared(this.take)
    this.onFault = onFault
    this.isClosed = false
    this.forgetRest = forgetNothing // of bytes behind the end of a coded body
    decoder?.on('error', (error) => { if (!this.isOver) this.fail(errors.unreadable(error)) })
  }

  /** Asks for the body, of which some may come, or fail, within this call. */
  open () {
    const { exchange } = this
    sendContinue(exchange)
    exchange.beginStep((error) => this.fail(error))
    this.stream.open()
  }

  /** All bytes of the body have come, though not all may have been read: the client owes nothing more. */
  onWhole () {
    if (!this.isOver && this.mismatch() === null) this.exchange.setDecoded(this.source.received)
  }

  /** Nobody waits for the next chunk, so a refusal that it would get is told at once. */
  pause () {
    if (this.refusal !== null) this.fail(this.refusal)
  }

  /** @param {unknown} error that comes from elsewhere; what has come before it is still read */
  fail (error) {
    if (this.isClosed) return
    this.stream.end(error)
    this.onFault(error)
  }

  /** Once all is read, or nothing more is wanted. */
  release () {
    this.source.stop()
    this.stream.stop()
    if (this.isCoded && !this.isClosed) this.forgetRest = drainRest(this.exchange)
  }

  /**
   * The reading is over: only chunks that have come already are still given. The listener for errors of the request
   * stays until `releaseErrorListener`, as an error without a listener would end the process.
   *
   * @param {unknown} error why; the request is drained later, when its files are removed. Null at the end
   */
  endReading (error) {
    this.isClosed = true
    this.exchange.endStep()
    this.stream.forgetClient()
    if (error === null) return
    this.forgetRest() // what is drained is counted then
    this.exchange.req.pause?.()
  }

  releaseErrorListener () {
    this.stream.releaseErrorListener()
  }
}

/**
 * Copies a chunk whose memory zlib or HTTP/2 writes to again, maybe for another request. The app may transfer the
 * memory of a file's chunk to a worker; zlib or HTTP/2 would then throw out of an event.
 */
const copyShared = (take) => (chunk) => take(chunk === null ? null : Buffer.from(memoryOf(chunk)))

function ignore () {}

function forgetNothing () {}

module.exports = RequestContent
