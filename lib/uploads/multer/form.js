'use strict'

// A form as multer reads it: names that nest, files that a filter leaves out,
// and engines that store several files at a time.

const { unsupportedCharset } = require('../../core/errors')
const { truncate } = require('../../core/wording')
const FieldPart = require('../form/field-part')
const { EmptyPart, FilePart } = require('../form/file-part')
const { Decision } = require('../form/form-reader')
const askForType = require('../form/head-part')
const parseHeader = require('../parts/header')
const DiskFile = require('../storage/disk-file')
const FileSet = require('../storage/file-set')
const { MemoryFile } = require('../storage/open-file')
const { answerOf } = require('./call-back')
const { decoderOf } = require('./charsets')
const EngineFile = require('./engine-file')
const { MulterError, becomeAborted, extend, formTooLarge, malformedHeader, unexpectedEnd } = require('./errors')
const { addNested, checkName } = require('./nest')
const { RouteFiles } = require('./routes')
const { DiskStorage, MemoryStorage, isBuiltIn } = require('./storage')

const MAX_BUSY = 16 // engines of a form that are at work; the next file waits

/**
 * @typedef {object} Entry of a file; see Upload in ../form/file-part.js for the others
 * @property {{ fieldname: string }} slot of the file in the results
 * @property {object | null} stored null while the app decides about the file
 * @property {Promise<null> | null} done once it is in the results; may be rejected at any time; null in memory
 */

/** See Form in ../form/form-reader.js, and FileForm in ../form/file-part.js. */
class MulterForm {
  storesCut = true

  /**
   * @param {object} options what was decided when the middleware was made
   * @param {object} limits of this request
   * @param {import('../form/request-form').Host} host
   */
  constructor (options, limits, host) {
    this.options = options
    this.limits = limits
    this.host = host
    this.limit = limits.total
    this.results = new RouteFiles(host.request, options.route)
    this.partCount = 0
    this.fieldCount = 0
    this.fileCount = 0
    this.cutField = null // header of a field that is over its limit, which is an error
    this.current = null // the upload that is being read
    this.busy = new Set() // uploads whose engines are at work
    this.inMemory = [] // files
    this.keptBytes = 0
    this.fileSet = new FileSet()
    this.hasFailed = false
  }

  get bufferedBytes () {
    let held = this.keptBytes
    for (const upload of this.busy) held += upload === this.current ? 0 : upload.stored.length
    return held
  }

  begin (chunk, start, end) {
    const { limits, options: { decode, rules } } = this
    if (++this.partCount > limits.parts) throw new MulterError('LIMIT_PART_COUNT')
    const header = parseHeader({ chunk, start, end }, decode, (type) => this.fail(type), rules)
    if (header.filename === undefined) {
      if (++this.fieldCount > limits.fields) throw new MulterError('LIMIT_FIELD_COUNT')
      return new FieldPart(header, limits.fieldSize, this)
    }
    if (++this.fileCount > limits.files) throw new MulterError('LIMIT_FILE_COUNT')
    if (!header.name) throw new MulterError('MISSING_FIELD_NAME')
    return header.isUnchosen ? new EmptyPart(() => this.beginFile(header)) : this.beginFile(header)
  }

  /** What is wrong with the structure of the form, or with a header. */
  fail (type) {
    throw type === 'unterminated' ? unexpectedEnd() : malformedHeader()
  }

  /** A total that was given names the error, whatever else may be wrong behind it. */
  refuseForm (received) {
    if (this.cutField !== null) throw new MulterError('LIMIT_FIELD_VALUE', this.cutField.name)
    throw formTooLarge({ limit: this.limit, received })
  }

  /** The error follows at its end. */
  exceedField (header) {
    this.cutField = header
  }

  addField (part) {
    const { host, limits, options } = this
    const { name, nameLength, charset } = part.header
    if (!name) throw new MulterError('MISSING_FIELD_NAME')
    if (part.isOver) throw new MulterError('LIMIT_FIELD_VALUE', name)
    if (nameLength > limits.fieldNameSize) throw new MulterError('LIMIT_FIELD_KEY')
    checkName(name, limits)
    const decode = charset ? decoderOf(charset) : options.decodeValue
    if (decode === null) throw unsupportedCharset(charset, truncate)
    const value = part.text(decode)
    this.keptBytes += part.length
    addNested(host.request.body, name, value)
  }

  /** @returns {import('../form/form-reader').Part | import('../form/form-reader').Decision} */
  beginFile ({ name, nameLength, filename, encoding, type }) {
    const { host, limits, options: { detect }, results } = this
    if (nameLength > limits.fieldNameSize) throw new MulterError('LIMIT_FIELD_KEY')
    if (!results.allows(name)) throw new MulterError('LIMIT_UNEXPECTED_FILE', name, filename)
    const file = { fieldname: name, originalname: filename, encoding, mimetype: type }
    if (detect === undefined) return this.offerFile(file)
    return askForType(detect, host, file, (mimetype, detectedMimeType) =>
      this.offerFile({ ...file, mimetype, detectedMimeType, clientReportedMimeType: type }))
  }

  offerFile (file) {
    const { limits, options: { fileFilter }, results } = this
    const slot = results.reserve(file.fieldname)
    const upload = { file, maxSize: limits.fileSize, slot, stored: null, done: null }
    this.current = upload
    if (fileFilter === null) return this.acceptFile(upload)
    const ask = (done) => fileFilter(this.host.request, file, done)
    return this.ask(ask, upload, (isWanted) => isWanted ? this.acceptFile(upload) : this.skipFile(upload))
  }

  skipFile ({ slot }) {
    this.results.release(slot)
    this.current = null
    return EmptyPart.SKIPPED
  }

  acceptFile (upload) {
    const { host, options: { storage }, results } = this
    const { file } = upload
    results.take(file.fieldname)
    if (isBuiltIn(storage, MemoryStorage)) return this.storeIn(new MemoryFile(), upload)
    if (isBuiltIn(storage, DiskStorage)) {
      const locate = (done) => storage.locate(host.request, file, done)
      return this.ask(locate, upload, (place) => this.storeAt(place, upload))
    }
    const stored = new EngineFile(storage, file, host)
    this.busy.add(upload)
    return this.storeIn(stored, upload)
  }

  /** In the place that the app has chosen, which may be that of another file. */
  storeAt (place, upload) {
    const isFlushed = this.options.storage.flush === true
    const stored = new DiskFile(upload.file, () => place.path, { flags: 'w', isFlushed })
    const part = this.storeIn(stored, upload)
    Object.assign(upload.file, place)
    return part
  }

  storeIn (stored, upload) {
    upload.stored = stored
    const part = new FilePart(upload, this)
    upload.done = part.outcome
    return part.begin()
  }

  /** Calls a function of the app's with a callback. Nothing of the form is read before it has reported. */
  ask (call, upload, goOn) {
    const begin = ({ error, value }) => {
      try {
        if (error) throw error
        return goOn(value)
      } catch (error) {
        this.results.release(upload.slot)
        throw error
      }
    }
    return new Decision(answerOf((report) => this.host.call(call, report)), begin)
  }

  refuseFile ({ file, slot, stored }) {
    stored.cut?.()
    this.results.release(slot)
    throw new MulterError('LIMIT_FILE_SIZE', file.fieldname, file.originalname)
  }

  storeFailed ({ slot }) {
    if (!this.hasFailed) this.results.release(slot)
  }

  /** Files of engines do not hold up the form, unless there are many. */
  waitFor (upload, stored) {
    const { busy } = this
    if (!busy.has(upload)) return stored
    this.current = null
    return busy.size < MAX_BUSY ? null : Promise.race(Array.from(busy, ({ done }) => done))
  }

  completeFile (upload, size, outcome) {
    const { file, slot, stored } = upload
    if (this.hasFailed) return null
    if (!this.busy.delete(upload)) {
      if (outcome.fields.bytes !== undefined) {
        this.inMemory.push(file)
        file.buffer = outcome.fields.bytes
      }
      file.size = size
      this.keptBytes += stored.length
      this.current = null
    }
    this.results.put(slot, file)
    return null
  }

  end () {
    return this.busy.size === 0 ? null : this.awaitBusy()
  }

  async awaitBusy () {
    for (const { done } of this.busy) await done
  }

  failed (error) {
    const { busy, current, options: { storage }, results } = this
    this.hasFailed = true
    becomeAborted(error)
    // The slot of a file that was cut goes; but with `memoryStorage()` multer leaves it, and apps see it.
    if (current !== null && !busy.has(current) && !isBuiltIn(storage, MemoryStorage)) results.release(current.slot)
    this.host.abort(error)
  }

  removed (removals, error) {
    const { busy, current, inMemory, results } = this
    const storageErrors = []
    for (const { file, error } of removals) {
      if (error !== null) storageErrors.push(extend(error, { file, field: file.fieldname }))
    }
    for (const upload of busy) {
      if (upload.stored.isStored && upload !== current) results.put(upload.slot, upload.file)
      else results.release(upload.slot) // also of a file that is cut
    }
    for (const file of inMemory) delete file.buffer
    extend(error, { storageErrors })
  }
}

module.exports = MulterForm
