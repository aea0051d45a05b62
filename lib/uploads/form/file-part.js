'use strict'

const { markHandled } = require('../../core/handled-promise')

/**
 * A file that is being read.
 *
 * @typedef {object} Upload
 * @property {object} file what the app gets of it
 * @property {object} stored see ../storage/open-file.js
 * @property {number} maxSize bytes
 *
 * What a form does with its files.
 *
 * @typedef {object} FileForm
 * @property {import('../storage/file-set')} fileSet
 * @property {boolean} storesCut whether a file that is over its limit is stored up to that, before it is refused
 * @property {(upload: Upload, size: number) => never} refuseFile throws the error of a file that is over its limit
 * @property {(upload: Upload, size: number, outcome: object) => null} completeFile
 * @property {(upload: Upload) => void} storeFailed is told that a file could not be stored
 * @property {(upload: Upload, stored: Promise<null>) => Promise<unknown> | null} waitFor what the next part waits for
 */

/** A file, whose bytes are stored; see Part in ./form-reader.js. */
class FilePart {
  open = null

  /**
   * @param {Upload} upload
   * @param {FileForm} form
   * @param {import('node:crypto').Hash} [hash] of option `digest`
   */
  constructor (upload, form, hash) {
    const { stored } = upload
    this.upload = upload
    this.stored = stored
    this.form = form
    this.hash = hash
    this.size = 0 // bytes so far
    this.outcome = stored.outcome === undefined ? null : this.follow(stored.outcome)
  }

  follow (outcome) {
    return markHandled(outcome.then((outcome) => this.complete(outcome), (error) => {
      this.form.storeFailed(this.upload)
      throw error
    }))
  }

  /** Once everything else is in place: code of the app's may run. */
  begin () {
    const { form, stored, upload } = this
    form.fileSet.begin(upload.file, stored)
    return this
  }

  get length () {
    return this.stored.length
  }

  write (chunk, start, end) {
    const { form, stored, upload } = this
    this.hash?.update(chunk.subarray(start, end))
    this.size += end - start
    const excess = this.size - upload.maxSize
    if (excess > 0) {
      if (form.storesCut) stored.write(chunk, start, end - excess)
      form.refuseFile(upload, this.size)
    }
    return stored.write(chunk, start, end)
  }

  end () {
    if (this.hash !== undefined) this.setDigest(this.hash.digest('hex'))
    const outcome = this.stored.end()
    return this.outcome === null ? this.complete(outcome) : this.form.waitFor(this.upload, this.outcome)
  }

  /** Before those who read the file hear of its end. The app may have frozen it. */
  setDigest (digest) {
    const { stored: { stream }, upload: { file } } = this
    const shown = stream?.handedOut ?? stream
    Reflect.set(file, 'digest', digest)
    if (shown !== undefined) Reflect.set(shown, 'digest', digest)
  }

  complete (outcome) {
    const { form, upload } = this
    form.fileSet.complete(upload.file, outcome)
    return form.completeFile(upload, this.size, outcome)
  }

  copyChunk () {}
}

/** What is read off: a form control without a file, or a file that is skipped; see Part in ./form-reader.js. */
class EmptyPart {
  length = 0
  outcome = null

  /** @param {(() => object | Promise<object>) | null} open opens the file of a control that has bytes after all */
  constructor (open) {
    this.open = open
  }

  take (...content) {
    return content
  }

  write () {
    return null
  }

  end () {
    return null
  }

  copyChunk () {}
}

/** Of files that are skipped. */
EmptyPart.SKIPPED = new EmptyPart(null)

/**
 * @param {string | null} digest the option; null without it
 * @param {typeof import('node:crypto').createHash | undefined} createHash of the runtime
 * @throws {TypeError} for a name that is not a hash
 */
function checkDigest (digest, createHash) {
  if (digest === null) return
  if (createHash === undefined) throw new TypeError('option digest needs node:crypto')
  try {
    createHash(digest)
  } catch {
    throw new TypeError("option digest must be the name of a hash of node:crypto, such as 'sha256'")
  }
}

module.exports = { EmptyPart, FilePart, checkDigest }
