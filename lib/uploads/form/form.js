'use strict'

// Turns the parts of a body into fields and files, within the limits.

const errors = require('../../core/errors')
const { truncate } = require('../../core/wording')
const { addField } = require('../../formats/urlencoded/flat')
const FileRules = require('../limits/file-rules')
const { formTooLarge } = require('../limits/messages')
const PartLimits = require('../limits/part-limits')
const { boundaryOf } = require('../parts/boundary')
const { formCharsetOf, partDecoderOf } = require('../parts/form-charsets')
const parseHeader = require('../parts/header')
const FileSet = require('../storage/file-set')
const FieldPart = require('./field-part')
const { EmptyPart, FilePart } = require('./file-part')
const FormReader = require('./form-reader')
const askForType = require('./head-part')

/** See Form in ./form-reader.js, and FileForm in ./file-part.js. */
class Form {
  storesCut = false

  /**
   * @param {object} settings
   * @param {import('./request-form').Host} host
   * @param {string} charset of parts that declare none
   */
  constructor (settings, host, charset) {
    this.settings = settings
    this.host = host
    this.charset = charset
    this.loop = settings.openLoop?.(host.request) ?? null // over the parts, which takes them instead
    this.limits = new PartLimits(settings)
    this.rules = new FileRules(settings)
    this.limit = settings.isLimitDerived ? settings.limit : Infinity // else the parser enforces it
    this.fields = {}
    this.files = Object.create(null) // that are stored
    this.fileSet = new FileSet()
    this.bufferedBytes = 0 // in memory, of the parts before
  }

  begin (chunk, start, end) {
    const { limits } = this
    limits.beginPart()
    const fail = (type, detail) => limits.refuse(type, detail)
    const bytes = { chunk, start, end }
    const decode = this.decoderOf(this.charset)
    const header = this.loop?.parseHeader(bytes, decode, fail) ?? parseHeader(bytes, decode, fail)
    limits.admitName(header.name, this.loop?.isForm !== false)
    if (header.filename === undefined) return this.openField(header)
    return header.isUnchosen ? new EmptyPart(() => this.openFile(header)) : this.openFile(header)
  }

  openField (header) {
    return new FieldPart(header, this.limits.admitField(), this)
  }

  fail (type, detail) {
    this.limits.refuseStructure(type, detail)
  }

  end () {
    this.rules.requireAll()
    return null
  }

  refuseForm (received) {
    throw formTooLarge({ limit: this.limit, received, ...this.limits.place })
  }

  exceedField () {
    this.limits.refuseFieldSize()
  }

  addField (part) {
    const { name, type, charset = this.charset } = part.header
    const value = part.text(this.decoderOf(charset))
    if (name === '_charset_') this.charset = value.toLowerCase() // RFC 7578, section 4.6
    this.bufferedBytes += part.length
    addField(this.fields, name, value)
    if (this.loop !== null) this.bufferedBytes += this.loop.onField({ field: name, value, type, bytes: part.copy() })
  }

  /** @returns {import('./form-reader').Part | import('./form-reader').Decision} */
  openFile ({ name, filename, folder, type }) {
    const rule = this.rules.find(name, this.limits.place)
    const file = { field: name, name: filename, folder, type }
    const { detect } = this.settings
    if (detect === undefined) return this.offerFile(file, rule)
    return askForType(detect, this.host, file, (found) =>
      this.offerFile({ ...file, type: found, declaredType: type }, rule))
  }

  offerFile (file, rule) {
    if (rule.filter === undefined) return this.acceptFile(file, rule)
    const begin = (isWanted) => isWanted ? this.acceptFile(file, rule) : EmptyPart.SKIPPED
    return new FormReader.Decision(this.ask(rule.filter, { ...file }), begin)
  }

  acceptFile (file, rule) {
    const { limits: { place }, rules } = this
    return this.storeFile({ file, maxSize: rules.admit(rule, file.type, place), place, rule })
  }

  storeFile (upload) {
    const { host, loop, settings } = this
    const { file, place, rule } = upload
    const ask = (callback, subject) => this.ask(callback, subject)
    upload.stored = host.openFile(loop?.store ?? rule.store ?? settings.store, file, { ask, place })
    const hash = settings.digest === null ? undefined : host.createHash(settings.digest)
    return new FilePart(upload, this, hash).begin()
  }

  refuseFile ({ place, rule }, size) {
    this.rules.refuseSize(rule, size, place)
  }

  completeFile ({ file, stored }, size, outcome) {
    const group = this.rules.groupOf(file.field)
    this.bufferedBytes += stored.length // none, if its bytes are not in memory
    this.files[group] ??= []
    this.files[group].push(Object.assign(file, { size }, outcome.fields))
    this.rules.stored(size)
    return null
  }

  storeFailed () {}

  waitFor (upload, stored) {
    return stored
  }

  /** Calls a function of the app's, before anything of a file is read. */
  async ask (callback, subject) {
    const { fields, host } = this
    return host.call(callback, subject, host.contextOf(fields))
  }

  failed (error) {
    this.host.abort(error)
  }

  removed () {}

  decoderOf (charset) {
    const decode = partDecoderOf(charset, this.host.decoderOf)
    if (decode !== null) return decode
    throw Object.assign(errors.unsupportedCharset(charset, truncate), this.limits.place)
  }
}

/**
 * @param {object} settings of `multipart`
 * @param {import('./request-form').Host} host
 * @param {string} field the Content-Type
 * @param {import('../../core/body/feed').Control} feed
 * @param {import('./stream-form').StreamedFiles} [streamed] option `store: 'stream'`
 * @throws {Error} 400 if the field has no boundary
 */
function createForm (settings, host, field, feed, streamed) {
  const boundary = boundaryOf(field)
  const charset = formCharsetOf(field, settings.defaultCharset)
  const form = streamed === undefined ? new Form(settings, host, charset) : streamed.createForm(settings, host, charset)
  return new FormReader(form, boundary, settings.parts, feed)
}

module.exports = createForm
module.exports.Form = Form
