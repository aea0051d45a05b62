'use strict'

const errors = require('../errors')
const { DigestedSource } = require('./content-digest')
const WrappingSource = require('./wrapping-source')

/**
 * What a decoder of zlib, or any other stream that bytes go through, makes of the bytes of another source. Takes the
 * chunks as events: the iterator of a stream loses those that came before its error.
 */
class DecodedSource extends WrappingSource {
  /**
   * @param {import('./source')} body
   * @param {import('node:stream').Duplex} decoder
   */
  constructor (body, decoder) {
    super(body)
    this.decoder = decoder
    this.hasBegun = false
    this.isDecoded = false // whether the decoder has ended
    this.feed = this.feed.bind(this)
    this.readToEnd = this.readToEnd.bind(this)
    decoder.on('data', (chunk) => this.give(chunk))
    decoder.on('drain', this.feed)
    decoder.on('end', () => this.endDecoded())
    decoder.on('error', (error) => this.end(errors.unreadable(error)))
  }

  ask () {
    if (this.decoder.isPaused()) this.decoder.resume()
    if (this.hasBegun) return
    this.hasBegun = true
    this.feed()
  }

  feed () {
    if (!this.isOver) super.ask()
  }

  take (chunk) {
    if (chunk === null) this.decoder.end()
    else if (this.decoder.write(chunk)) this.feed()
  }

  /** If only the digest of a whole body is wrong, what the body decodes to comes before that error. */
  refuse (error) {
    const isWhole = !this.isDecoded && this.source instanceof DigestedSource && this.source.isComplete
    if (isWhole) this.decoder.end()
    else this.end(error)
  }

  /** A body with a digest is read to its end: its digest is also of the bytes behind those that the decoder takes. */
  endDecoded () {
    this.isDecoded = true
    if (!(this.source instanceof DigestedSource)) return this.end()
    this.source.unread()
    this.source.read(this.readToEnd, this.refuse)
  }

  readToEnd (chunk) {
    if (chunk === null) this.end()
    else this.source.read(this.readToEnd, this.refuse)
  }

  pause () {
    this.decoder.pause()
  }

  /** Does not wait for the body, as the client may never send its next chunk. */
  release () {
    super.release()
    this.decoder.destroy()
  }
}

module.exports = DecodedSource
