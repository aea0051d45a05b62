'use strict'

// A file that a storage engine of the app or of another package stores; see ../storage/open-file.js.

const AppFile = require('../storage/app-file')
const FileStream = require('../storage/file-stream')
const { answerOf } = require('./call-back')

class EngineFile extends AppFile {
  /**
   * @param {object} engine has `_handleFile` and `_removeFile`
   * @param {object} file has a `stream` until the engine has stored it
   * @param {import('../form/request-form').Host} host
   */
  constructor (engine, file, host) {
    super((stored) => new FileStream({}, stored), (stream) => host.call(() => this.handle(stream)))
    this.engine = engine
    this.file = file
    this.host = host
    this.isStored = false
    this.isTooLarge = false
    this.remove = createRemove(engine, file, host)
  }

  async handle (stream) {
    const { engine, file, host: { request } } = this
    stream.truncated = false
    Object.defineProperty(file, 'stream', { __proto__: null, configurable: true, value: stream })
    const { error, value } = await answerOf((done) => engine._handleFile(request, file, done))
    if (error) throw error
    this.isStored = true
    delete file.stream
    Object.assign(file, value)
  }

  /** What the form keeps of a file. It must not refer to the stream, as a form may have many files. */
  outcomeOf () {
    return { fields: {}, remove: this.remove }
  }

  /** The file is over its limit. Its stream then just ends, as multer's does: see `fail`. */
  cut () {
    this.isTooLarge = true
  }

  /**
   * Destroys the stream, with the error. If the file is over its limit, the stream ends instead; so it does if the
   * engine does not listen for errors of it, as such an engine would never call back, nor close what it has opened.
   * What the engine stores is removed.
   */
  fail (reason) {
    const { isEnded, isTooLarge, stream } = this
    if (isEnded) return // it has all bytes
    if (!isTooLarge && stream.listenerCount('error') > 0) {
      stream.destroy(reason)
    } else {
      stream.truncated = true
      this.end()
    }
  }

  async release (reason) {
    await super.release(reason)
    if (this.isStored) return this.remove()
    this.value.then(() => this.remove(), () => {}) // once the engine has called back, if it ever does
    return null
  }
}

/** @returns {() => Promise<unknown>} of why the engine could not remove the file, if it says so in time; else null */
const createRemove = (engine, file, host) => async () => {
  let reason = null
  const call = (report) => host.call(() => engine._removeFile(host.request, file, report))
  const remove = async () => { reason = (await answerOf(call)).error || null }
  await AppFile.inTime(remove())
  return reason
}

module.exports = EngineFile
