'use strict'

/**
 * Everything the parser knows about one request while its body is read.
 *
 * All fields are set here, in one order, so that every exchange has the same
 * hidden class and the engine finds each field at a fixed offset.
 */
class Exchange {
  /**
   * @param {import('node:http').IncomingMessage} req
   * @param {import('node:http').ServerResponse} res
   * @param {(error?: unknown) => void} next
   * @param {import('./gate').Decision} decision how the charset is decoded
   * @param {number} limit most bytes to collect
   * @param {number | null} length declared length in bytes; null if unknown,
   *   NaN if declared but unreadable
   * @param {(exchange: Exchange, bytes: Buffer) => void} deliver takes the
   *   collected bytes
   * @param {number} drainLimit most bytes to read off after an error
   * @param {(chunks: Buffer[], length: number) => Buffer} join
   */
  constructor (req, res, next, decision, limit, length, deliver, drainLimit, join) {
    this.req = req
    this.res = res
    this.next = next
    this.charset = decision.charset
    this.decode = decision.decode
    this.limit = limit
    this.length = length
    this.deliver = deliver
    this.drainLimit = drainLimit
    this.join = join
    this.lane = 'identity' // see channel.js
    this.received = 0 // bytes, coded as they came
    this.chunk = null // the first chunk
    this.chunks = null // every chunk, as soon as there is a second
    this.crumbs = 0 // how many of them were tiny
    this.context = null // AsyncResource, where events do not keep the context
  }
}

module.exports = Exchange
