'use strict'

const { FilePart } = require('./file-part')

/** A file with option `digest`. */
class HashedPart extends FilePart {
  /**
   * @param {unknown} digest the option; null without it
   * @param {typeof import('node:crypto').createHash | undefined} createHash of the runtime
   * @throws {TypeError} for a name that is not a hash
   */
  static check (digest, createHash) {
    if (digest === null) return
    if (createHash === undefined) throw new TypeError('option digest needs node:crypto')
    try {
      createHash(digest)
    } catch {
      throw new TypeError("option digest must be the name of a hash of node:crypto, such as 'sha256'")
    }
  }

  constructor (upload, form, hash) {
    super(upload, form)
    this.hash = hash
  }

  write (chunk, start, end) {
    this.hash.update(chunk.subarray(start, end))
    return super.write(chunk, start, end)
  }

  /** Sets the digest before those who read the file hear of its end. */
  end () {
    const { stored: { stream }, upload: { file } } = this
    const digest = this.hash.digest('hex')
    const shown = stream?.handedOut ?? stream
    Reflect.set(file, 'digest', digest)
    if (shown !== undefined) Reflect.set(shown, 'digest', digest) // the app may have frozen it
    return super.end()
  }
}

module.exports = HashedPart
