'use strict'

// Turns the parts of a body into fields and files, within the limits.

const errors = require('../errors')
const { addField } = require('../urlencoded/flat')
const Bytes = require('../body/bytes')
const { partDecoderOf } = require('./charset')
const parseHeader = require('./header')
const Scanner = require('./scanner')
const openSink = require('./stores')

const ROOM = Symbol('room')
const OUTCOME = Symbol('outcome')
const RESERVED = /(?:^|\[)__proto__(?:\]|$)/

/** A handler of a scanner; see ./scanner.js. */
class Form {
  /**
   * @param {string} boundary
   * @param {object} settings
   * @param {import('../body/exchange')} exchange
   * @param {{ ready: () => void, settled: (error: unknown) => void }} feed is
   *   told when the form takes bytes again, and once that it is complete (null) or has failed
   */
  constructor (boundary, settings, exchange, feed) {
    this.settings = settings
    this.loop = settings.openLoop?.(exchange.req) ?? null // over the parts, which takes them instead
    this.exchange = exchange
    this.feed = feed
    this.scanner = new Scanner(boundary, this, settings.parts.header)
    this.fields = {}
    this.fieldCount = 0
    this.files = Object.create(null)
    this.fileCounts = new Map() // by the rule that they count for
    this.charset = 'utf-8' // of parts that declare none
    this.part = 0 // number of the current one
    this.header = null
    this.size = 0 // bytes of this part so far; at most `maxSize`
    this.maxSize = 0
    this.sink = null // takes the bytes of a field or of a file
    this.file = null
    this.sinks = [] // to be released
    this.keptBytes = 0 // in memory, of the parts before
    this.awaited = null // of the sink: ROOM for more bytes, or the OUTCOME of its file
    this.chunks = [] // that are not scanned: the app's store may read on meanwhile
    this.isScanning = false
    this.isEnding = false
    this.isSettled = false
  }

  /** Whether the feed must pause. While no bytes wait, it goes on, as the end of the body may be next. */
  get isBlocked () {
    return this.awaited === ROOM || (this.awaited === OUTCOME && this.scanner.waitingBytes > 0)
  }

  /** Bytes in memory. */
  get heldBytes () {
    return this.keptBytes + this.scanner.waitingBytes + (this.sink?.length ?? 0)
  }

  write (chunk) {
    this.chunks.push(chunk)
    this.scan()
  }

  end () {
    this.isEnding = true
    this.scan()
  }

  scan () {
    const { chunks, scanner } = this
    if (this.isScanning || this.isSettled) return
    this.isScanning = true
    try {
      this.scanChunk()
      while (chunks.length > 0) {
        scanner.write(chunks.shift())
        this.scanChunk()
      }
      if (this.isEnding && this.awaited === null) scanner.finish()
    } catch (error) {
      this.settle(error)
    }
    this.isScanning = false
    if (this.isEnding && this.awaited === null) this.settle(null) // what `next` throws is not an error of the form
  }

  scanChunk () {
    while (this.awaited === null && this.scanner.scan());
  }

  settle (error) {
    if (this.isSettled) return
    this.isSettled = true
    this.feed.settled(error)
  }

  /** Stops everything after an error, and calls back once all files are removed. */
  abort (error, done) {
    this.isSettled = true
    this.exchange.controller?.abort(error)
    this.release(done, error)
  }

  /** Removes the files that were not kept. */
  release (done, reason) {
    let left = this.sinks.length
    if (left === 0) done()
    for (const sink of this.sinks) sink.release(() => { if (--left === 0) done() }, reason)
  }

  onHeader (chunk, start, end) {
    const { fields, parts } = this.settings
    this.beginPart()
    const decode = this.decoderOf(this.charset)
    this.header = parseHeader({ chunk, start, end }, decode, (type) => this.refuse(400, type))
    const { name, filename, isUnchosen } = this.header
    if (Buffer.byteLength(name) > parts.name) this.exceed('name.too.long', parts.name)
    if (name === '' || RESERVED.test(name)) this.refuse(400, 'name.invalid')
    this.size = 0
    if (filename === undefined) {
      if (++this.fieldCount > fields.max) this.exceed('fields.too.many', fields.max)
      this.maxSize = fields.size
      this.sink = new Bytes()
    } else if (!isUnchosen) {
      this.openFile()
    }
  }

  onData (chunk, start, end) {
    if (this.sink === null) this.openFile() // it has bytes after all
    this.size += end - start
    if (this.size > this.maxSize) this.exceed(this.file === null ? 'field.too.large' : 'file.too.large', this.maxSize)
    if (!this.sink.write(chunk, start, end)) this.awaited = ROOM
  }

  onPartEnd () {
    if (this.file !== null) {
      this.awaited = OUTCOME
      this.sink.end()
    } else if (this.sink !== null) {
      this.addField(this.header, this.sink)
    } // else a form control without a file
  }

  onFault (type) {
    if (type !== 'header.too.large') this.refuse(400, type)
    this.beginPart() // its header is not complete, so that `onHeader` is not called
    this.refuse(400, type, { limit: this.settings.parts.header })
  }

  beginPart () {
    const { max } = this.settings.parts
    this.part++
    this.header = null
    if (this.part > max) this.exceed('parts.too.many', max)
  }

  addField ({ name, charset = this.charset }, bytes) {
    const value = this.decoderOf(charset)(bytes.join(), 0, bytes.length)
    if (name === '_charset_') this.charset = value.toLowerCase() // RFC 7578, section 4.6
    this.closePart()
    addField(this.fields, name, value)
    this.loop?.onField(name, value)
  }

  openFile () {
    const { name, filename, type } = this.header
    const { files, store } = this.settings
    const rule = Object.hasOwn(files, name) ? files[name] : files['*'] ?? this.refuse(400, 'file.unexpected')
    const count = (this.fileCounts.get(rule) ?? 0) + 1
    this.fileCounts.set(rule, count)
    if (count > rule.max) this.exceed('files.too.many', rule.max)
    if (!rule.types.some((range) => includes(range, type))) this.refuse(415, 'file.type.unsupported')
    this.maxSize = rule.size
    this.file = { field: name, name: filename, type, size: 0 }
    this.sink = openSink(this.loop?.store ?? store, this.file, this)
  }

  /** The sink takes bytes again. */
  ready () {
    if (this.awaited === ROOM) this.proceed()
  }

  /** The sink has stored its file, or has failed. */
  stored (error, outcome) {
    if (this.isSettled) return
    if (error !== null) return this.settle(error)
    const { field } = this.file
    this.files[field] ??= []
    this.files[field].push(Object.assign(this.file, { size: this.size }, outcome))
    this.closePart()
    this.proceed()
  }

  closePart () {
    this.keptBytes += this.sink.length // none, if its bytes are not in memory
    this.file = this.sink = null
  }

  proceed () {
    this.awaited = null
    if (this.isScanning) return // the sink was done at once
    this.scan()
    if (!this.isBlocked) this.feed.ready()
  }

  decoderOf (charset) {
    const decode = partDecoderOf(charset)
    if (decode === null) throw Object.assign(errors.unsupportedCharset(charset), this.place)
    return decode
  }

  /** Of an error. */
  get place () {
    return { field: this.header?.name, part: this.part || undefined }
  }

  exceed (type, limit) {
    this.refuse(413, type, { limit })
  }

  /** @param {string} type what is wrong with the current part, such as `name.missing` */
  refuse (status, type, more) {
    const { place } = this
    const message = `multipart: ${type.replaceAll('.', ' ')}${nameOf(place)}`
    throw errors.create(status, message, { ...more, ...place, type: `multipart.${type}` })
  }
}

const MAX_QUOTED_NAME = 100 // characters; `parts.name` may allow more, and a header that is refused may have more

/** For a message: quoted and bounded, as the client chooses it. */
const nameOf = ({ field }) => field === undefined ? '' : ` (field ${JSON.stringify(field.slice(0, MAX_QUOTED_NAME))})`

/** @param {string} range such as `image/*` */
function includes (range, type) {
  if (range === type || range === '*/*') return true
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}

module.exports = Form
