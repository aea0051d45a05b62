'use strict'

// Turns the parts of a body into fields and files, within the limits.

const { nextTick } = require('../../core/platform')
const errors = require('../../core/errors')
const { addField } = require('../../formats/urlencoded/flat')
const { partDecoderOf } = require('../parts/charset')
const FieldBytes = require('./field-bytes')
const FileRules = require('../limits/file-rules')
const { formTooLarge, refusal } = require('../limits/messages')
const { Received } = require('../limits/limits')
const headers = require('../parts/header')
const Scanner = require('../parts/scanner')
const openSink = require('../storage/stores')
const { bound } = require('../../core/wording')

const ROOM = Symbol('room')
const OUTCOME = Symbol('outcome')
const CHOICE = Symbol('choice')
const RESERVED = /(?:^|\[)__proto__(?:\]|$)/

/** The sink of a file that the form is to go on without. */
const SKIPPED = { length: 0, write: () => true }

/** A handler of a scanner; see ../parts/scanner.js. */
class Form {
  /**
   * @param {string} boundary
   * @param {object} settings
   * @param {import('../../core/body/exchange')} exchange
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
    this.rules = new FileRules(settings, this)
    this.received = new Received(this, settings.isLimitDerived ? settings.limit : Infinity)
    this.charset = 'utf-8' // of parts that declare none
    this.part = 0 // number of the current one
    this.header = null
    this.size = 0 // bytes of this part so far; at most `maxSize`
    this.maxSize = 0
    this.sink = null // takes the bytes of a field or of a file
    this.file = null
    this.rule = null // of the file
    this.sinks = new Set() // to be released
    this.keptBytes = 0 // in memory, of the parts before
    this.awaited = null // of the sink: ROOM for more bytes, or the OUTCOME of its file; or the CHOICE of a filter
    this.postponed = [] // calls of this handler, until a filter has chosen
    this.chunks = [] // that are not scanned: the app's store may read on meanwhile
    this.isScanning = false
    this.isEnding = false
    this.isSettled = false
  }

  /** Whether the feed must pause. While no bytes wait, it goes on, as the end of the body may be next. */
  get isBlocked () {
    return this.awaited === ROOM || (this.awaited !== null && this.scanner.waitingBytes > 0)
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
      for (const call of this.postponed.splice(0)) call()
      while (true) {
        while (this.awaited === null && scanner.scan());
        if (this.awaited === null) this.received.check(scanner.waitingBytes)
        if (chunks.length === 0) break
        this.received.add(chunks[0].length)
        scanner.write(chunks.shift(), this.awaited === null)
      }
      this.sink?.detach?.() // of a field
      if (this.isOver) scanner.finish() // which may find a part's end, and wait for its file
      if (this.isOver) this.received.check(0)
      if (this.isOver) this.rules.requireAll()
    } catch (error) {
      this.settle(error)
    }
    this.isScanning = false
    if (this.isOver) this.settle(null) // what `next` throws is not an error of the form
  }

  /** Whether the content that is being read has a limit of its own. */
  get isPartBounded () {
    return this.sink !== null && this.maxSize !== Infinity
  }

  refuseForm () {
    throw formTooLarge({ ...this.received.counts, ...this.place })
  }

  get isOver () {
    return this.isEnding && this.awaited === null
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
    const sinks = [...this.sinks] // some leave while others are released
    let left = sinks.length
    if (left === 0) done()
    for (const sink of sinks) sink.release(() => { if (--left === 0) done() }, reason)
  }

  onHeader (chunk, start, end) {
    const { fields, parts } = this.settings
    this.beginPart()
    const fail = (type) => this.refuse(400, type)
    this.header = (this.loop ?? headers).parseHeader({ chunk, start, end }, this.decoderOf(this.charset), fail)
    const { name, filename, isUnchosen } = this.header
    if (isLonger(name, parts.name)) this.exceed('name.too.long', parts.name)
    if ((name === '' && this.loop?.isForm !== false) || isReserved(name)) this.refuse(400, 'name.invalid')
    this.size = 0
    if (filename === undefined) {
      if (++this.fieldCount > fields.max) this.exceed('fields.too.many', fields.max)
      this.maxSize = fields.size
      this.sink = new FieldBytes()
    } else if (!isUnchosen) {
      this.openFile()
    }
  }

  onData (chunk, start, end) {
    if (this.sink === null && this.file === null) this.openFile() // it has bytes after all
    if (this.awaited === CHOICE) {
      this.postponed.push(() => this.onData(chunk, start, end))
      return
    }
    this.size += end - start
    if (this.size > this.maxSize) this.refuseSize()
    if (!this.received.isPast && !this.sink.write(chunk, start, end)) this.awaited = ROOM
  }

  onPartEnd () {
    if (this.awaited === CHOICE) {
      this.postponed.push(() => this.onPartEnd())
    } else if (this.received.isPast) {
      this.refuseForm() // the part was within its own limit
    } else if (this.sink === SKIPPED) {
      this.closePart()
    } else if (this.file !== null) {
      this.awaited = OUTCOME
      this.sink.end()
    } else if (this.sink !== null) {
      this.addField(this.header, this.sink)
    } // else a form control without a file
  }

  onFault (type, detail) {
    if (type !== 'header.too.large') this.refuse(400, type, undefined, this.place, detail)
    this.beginPart() // its header is not complete, so that `onHeader` is not called
    this.refuse(400, type, { limit: this.settings.parts.header })
  }

  beginPart () {
    const { max } = this.settings.parts
    this.part++
    this.header = null
    if (this.part > max) this.exceed('parts.too.many', max)
  }

  addField ({ name, type, charset = this.charset }, bytes) {
    const value = bytes.text(this.decoderOf(charset))
    if (name === '_charset_') this.charset = value.toLowerCase() // RFC 7578, section 4.6
    this.closePart()
    addField(this.fields, name, value)
    if (this.loop !== null) this.keptBytes += this.loop.onField({ field: name, value, type, bytes: bytes.copy() })
  }

  openFile () {
    const { name, filename, folder, type } = this.header
    this.rule = this.rules.find(name)
    this.file = { field: name, name: filename, folder, type, size: 0 }
    if (this.rule.filter === undefined) this.acceptFile()
    else this.askFilter(this.rule.filter)
  }

  /** What comes meanwhile of this part is postponed. */
  askFilter (filter) {
    this.awaited = CHOICE
    const choose = (act) => nextTick(() => { // so that an error that `next` throws is not a rejection
      if (this.isSettled) return
      this.postponed.unshift(act)
      this.proceed()
    })
    this.callApp(filter).then(
      (isWanted) => choose(() => isWanted ? this.acceptFile() : this.skipFile()),
      (error) => choose(() => { throw errors.thrown(error) })
    )
  }

  /** Calls a function of the app's with the file, before any of it is read. */
  async callApp (ask) {
    const { exchange, file: { size, ...file } } = this
    return exchange.runInAsyncScope(ask, undefined, file, this.context)
  }

  /** What functions of the app's get besides a file. */
  get context () {
    const { exchange: { req, signal }, fields } = this
    return { req, fields, signal }
  }

  acceptFile () {
    const { file, loop, rule, settings: { store } } = this
    this.maxSize = this.rules.admit(rule, file.type)
    this.sink = openSink(loop?.store ?? rule.store ?? store, file, this)
  }

  skipFile () {
    this.maxSize = Infinity
    this.file = null
    this.sink = SKIPPED
  }

  /** The sink takes bytes again. */
  ready () {
    if (this.awaited === ROOM) this.proceed()
  }

  /** The sink has stored its file, or has failed. */
  stored (error, outcome) {
    if (this.isSettled) return
    if (error !== null) return this.settle(error)
    const group = this.rules.groupOf(this.file.field)
    this.files[group] ??= []
    this.files[group].push(Object.assign(this.file, { size: this.size }, outcome))
    this.rules.stored(this.size)
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
    if (decode !== null) return decode
    throw Object.assign(errors.unsupportedCharset(charset, bound), this.place)
  }

  /** Of an error. */
  get place () {
    return { field: this.header?.name, part: this.part || undefined }
  }

  refuseSize () {
    if (this.file === null) this.exceed('field.too.large', this.maxSize)
    this.rules.refuseSize(this.rule, this.size)
  }

  exceed (type, limit) {
    this.refuse(413, type, { limit })
  }

  /** @param {string} type what is wrong with the part, such as `name.missing` */
  refuse (status, type, more, place = this.place, detail = undefined) {
    throw refusal(status, type, { ...more, ...place }, detail)
  }
}

/** Whether a text has more bytes than `max`, which are counted only if it may: 3 for each character. */
const isLonger = (text, max) => text.length * 3 > max && Buffer.byteLength(text) > max

const isReserved = (name) => name.includes('__proto__') && RESERVED.test(name)

module.exports = Form
