'use strict'

// A form as multer reads it: names that nest, files that a filter leaves out,
// and engines that store several files at a time.

const { unsupportedCharset } = require('../../core/errors')
const { nextTick } = require('../../core/platform')
const FieldBytes = require('../form/field-bytes')
const Form = require('../form/form')
const { Received } = require('../limits/limits')
const openSink = require('../storage/stores')
const { callOnce } = require('./call-back')
const NamedDiskSink = require('./disk-sink')
const { MulterError, becomeAborted, extend, malformedHeader, unexpectedEnd } = require('./errors')
const parseHeader = require('./header')
const { addNested, checkName } = require('./nest')
const Results = require('./results')
const { DiskStorage, MemoryStorage, isOwn } = require('./storage')
const Upload = require('./upload')
const { bound } = require('../../core/wording')

const CHOICE = Symbol('choice')
const ENGINES = Symbol('engines')
const MAX_BUSY = 16 // engines of a form that are at work; the next file waits

/** The sink of what is left out. */
const SKIPPED = { length: 0 }

class MulterForm extends Form {
  /** @param {object} settings `multer`: what was decided when the middleware was made; `limits`: of this request */
  constructor (boundary, settings, exchange, feed) {
    super(boundary, settings, exchange, feed)
    this.options = settings.multer
    this.limits = settings.limits
    this.maxSize = Infinity // of the base class, which has other errors
    this.received = new Received(this, settings.limits.total)
    this.results = new Results(exchange.req, this.options.shape)
    this.left = this.options.createCounts() // of files that may still come
    this.fileCount = 0
    this.isTruncated = false // the value of a field: the last one, as it is an error
    this.slot = null // of the file, in the results
    this.upload = null // of the file, if an engine stores it
    this.busy = new Set() // uploads whose engines are at work
    this.inMemory = [] // files
    this.storageErrors = []
  }

  /** Errors of the file system have no field, as with multer. */
  get place () {
    return undefined
  }

  get heldBytes () {
    let held = super.heldBytes
    for (const { sink } of this.busy) held += sink === this.sink ? 0 : sink.length
    return held
  }

  /** A total that was given names the error, whatever else may be wrong behind it. */
  get isPartBounded () {
    const { isTruncated, limits: { fileSize, fieldSize, isTotalDerived }, sink } = this
    if (!isTotalDerived || isTruncated || sink === null || sink === SKIPPED) return false
    return (this.file === null ? fieldSize : fileSize) !== Infinity
  }

  refuseForm () {
    const { header, isTruncated, received: { counts } } = this
    if (isTruncated) throw new MulterError('LIMIT_FIELD_VALUE', header.name)
    throw Object.assign(new MulterError('LIMIT_TOTAL_SIZE'), counts)
  }

  onHeader (chunk, start, end) {
    const { limits } = this
    this.countPart()
    this.header = parseHeader(chunk.latin1Slice(start, end), this.options)
    this.size = 0
    this.sink = SKIPPED
    if (this.header.isFile) {
      if (++this.fileCount > limits.files) throw new MulterError('LIMIT_FILE_COUNT')
      if (!this.header.name) throw new MulterError('MISSING_FIELD_NAME')
      if (!this.header.isUnchosen) this.beginFile()
    } else {
      if (++this.fieldCount > limits.fields) throw new MulterError('LIMIT_FIELD_COUNT')
      this.sink = new FieldBytes()
    }
  }

  onFault (type) {
    if (type === 'unterminated') throw unexpectedEnd()
    if (type === 'header.too.large') this.countPart()
    throw malformedHeader()
  }

  countPart () {
    if (++this.part > this.limits.parts) throw new MulterError('LIMIT_PART_COUNT')
  }

  onData (chunk, start, end) {
    if (this.header.isUnchosen) {
      this.header.isUnchosen = false // it has bytes after all
      this.beginFile()
    }
    if (this.awaited === CHOICE) {
      this.postponed.push(() => this.onData(chunk, start, end))
      return
    }
    const { file, header, limits, sink, size } = this
    if (sink === SKIPPED || this.isTruncated) return
    const max = file === null ? limits.fieldSize : limits.fileSize
    super.onData(chunk, start, Math.min(end, start + max - size))
    if (size + end - start <= max) return
    if (file === null) {
      this.isTruncated = true // the error follows at its end
      return
    }
    this.upload?.sink.cut()
    this.results.free(this.slot)
    throw new MulterError('LIMIT_FILE_SIZE', header.name, header.filename)
  }

  onPartEnd () {
    const { file, header, sink, upload } = this
    if (this.awaited === CHOICE) this.postponed.push(() => this.onPartEnd())
    else if (this.received.isPast && !this.isTruncated) this.refuseForm()
    else if (sink === SKIPPED) this.sink = null
    else if (file === null) this.addField(header, sink)
    else if (upload === null) super.onPartEnd()
    else this.endUpload()
  }

  addField ({ name, nameLength, charset }, bytes) {
    const { limits, options, exchange: { req } } = this
    if (!name) throw new MulterError('MISSING_FIELD_NAME')
    if (this.isTruncated) throw new MulterError('LIMIT_FIELD_VALUE', name)
    if (nameLength > limits.fieldNameSize) throw new MulterError('LIMIT_FIELD_KEY')
    checkName(name, limits)
    const decode = options.valueDecoderOf(charset)
    if (decode === null) throw unsupportedCharset(charset, bound)
    const value = bytes.text(decode)
    this.closePart()
    addNested(req.body, name, value)
  }

  beginFile () {
    const { exchange: { req }, header, left, limits, options: { fileFilter } } = this
    const { name, nameLength, filename, encoding, type } = header
    if (nameLength > limits.fieldNameSize) throw new MulterError('LIMIT_FIELD_KEY')
    if (!left.has(name)) throw new MulterError('LIMIT_UNEXPECTED_FILE', name, filename)
    this.file = { fieldname: name, originalname: filename, encoding, mimetype: type }
    this.slot = this.results.reserve(name)
    if (fileFilter === null) this.acceptFile()
    else this.ask((done) => fileFilter(req, this.file, done), (isWanted) => this.filtered(isWanted))
  }

  filtered (isWanted) {
    if (isWanted) return this.acceptFile()
    this.results.free(this.slot)
    this.file = this.slot = null
    this.proceed()
  }

  acceptFile () {
    const { file, left, options: { storage }, exchange: { req } } = this
    left.take(file.fieldname)
    if (isOwn(storage, MemoryStorage)) this.storeIn(openSink('memory', file, this))
    else if (isOwn(storage, DiskStorage)) this.ask((done) => storage.locate(req, file, done), (at) => this.storeAt(at))
    else this.storeByEngine()
  }

  storeAt (place) {
    const { file, options: { storage: { flush } } } = this
    this.storeIn(new NamedDiskSink(place, flush === true, this))
    Object.assign(file, place)
  }

  storeByEngine () {
    this.upload = new Upload(this, this.file, this.slot)
    this.busy.add(this.upload)
    this.storeIn(this.upload.sink)
  }

  storeIn (sink) {
    this.sink = sink
    this.proceed()
  }

  /** Calls a function of the app's with a callback. Nothing of the form is read before it has reported. */
  ask (call, goOn) {
    this.awaited = CHOICE
    const decide = (error, value) => {
      if (this.isSettled) return
      try {
        if (error) throw error
        goOn(value)
      } catch (error) {
        if (this.isSettled) throw error // of `next`
        this.results.free(this.slot)
        if (this.isScanning) throw error // which settles
        this.settle(error)
      }
    }
    callOnce((report) => this.exchange.runInAsyncScope(call, undefined, report), (error, value) => {
      if (this.isScanning) decide(error, value)
      else nextTick(decide, error, value) // so that what `next` throws does not reach the app's function
    })
  }

  /** A sink of our own has stored its file, or has failed. */
  stored (error, { bytes } = {}) {
    const { file, slot, size } = this
    if (error !== null) return this.fail(error, slot)
    if (bytes !== undefined) {
      this.inMemory.push(file)
      file.buffer = bytes
    }
    file.size = size
    this.results.put(slot, file)
    this.closePart()
    this.proceed()
  }

  /** Files of engines do not hold up the form, unless there are many. */
  endUpload () {
    const { sink } = this
    this.upload = this.file = this.sink = null
    this.awaited = this.busy.size >= MAX_BUSY ? ENGINES : null // not for room in its sink
    sink.end()
  }

  uploaded (upload, error = null) {
    if (this.isSettled) return
    if (error !== null) return this.fail(error, upload.slot)
    this.busy.delete(upload)
    this.results.put(upload.slot, upload.file)
    if (this.awaited === ENGINES) this.proceed()
  }

  fail (error, slot) {
    this.results.free(slot)
    this.settle(error)
  }

  settle (error) {
    if (error === null && this.busy.size > 0) this.awaited = ENGINES // which scans, and settles, again
    else super.settle(error)
  }

  abort (error, done) {
    const { file, slot, upload, options: { storage } } = this
    becomeAborted(error)
    // With `memoryStorage()`, multer leaves the slot of a file that is cut.
    if (file !== null && upload === null && !isOwn(storage, MemoryStorage)) this.results.free(slot)
    super.abort(error, () => {
      for (const { file, sink, slot } of this.busy) {
        if (sink.isStored && sink !== upload?.sink) this.results.put(slot, file)
        else this.results.free(slot) // also of a file that is cut
      }
      for (const file of this.inMemory) delete file.buffer
      extend(error, { storageErrors: this.storageErrors })
      done()
    })
  }

  notRemoved (file, error) {
    this.storageErrors.push(extend(error, { file, field: file.fieldname }))
  }
}

module.exports = MulterForm
