'use strict'

// A file that a storage engine of the app or of another package stores; see ../storage/open-file.js.

const AppFile = require('../storage/app-file')
const FileStream = require('../storage/file-stream')
const { answerOf } = require('./call-back')

class EngineFile extends AppFile {
  /**
   * @param {object} engine has `_handleFile` and `_removeFile`
   * @param {object} file has a `stream` until the engine has called back
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

  /** Refers to nothing of the stream: a form may have many files. */
  outcomeOf () {
    return { fields: {}, remove: this.remove }
  }

  /** The file is over its limit: engines do not take that for an error of its stream. */
  cut () {
    this.isTooLarge = true
  }

  /**
   * An engine that does not listen for errors of its stream would never call back, and keep open what it has opened.
   * For such a one the stream just ends; what it stores is removed.
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
    this.value.then(() => this.remove(), () => {}) // an engine that is late
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
