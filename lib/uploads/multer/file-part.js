'use strict'

/** A file, of which its storage gets no more than its limit allows; see Part in ../form/form-reader.js. */
class FilePart {
  isOver = false
  open = null

  /**
   * @param {import('./form').Upload} upload
   * @param {import('./form')} form
   */
  constructor (upload, form) {
    const { fileSize, isTotalDerived } = form.limits
    this.upload = upload
    this.outcome = upload.done
    this.form = form
    this.maxSize = fileSize
    this.isBounded = isTotalDerived && fileSize !== Infinity
  }

  get length () {
    return this.upload.stored.length
  }

  write (chunk, start, end, keeps) {
    const { upload } = this
    const last = Math.min(end, start + this.maxSize - upload.size)
    upload.size += last - start
    const room = keeps ? upload.stored.write(chunk, start, last) : null
    if (last < end) this.form.refuseFile(upload)
    return room
  }

  end () {
    return this.form.endFile(this.upload)
  }

  detach () {}
}

module.exports = FilePart
