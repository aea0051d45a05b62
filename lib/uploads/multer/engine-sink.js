'use strict'

// The sink of a storage engine of the app or of another package. A form may go
// on while engines are busy with the files before.

const AppSink = require('../storage/app-sink')
const { callBack } = require('./call-back')

class EngineSink extends AppSink {
  /**
   * @param {object} engine has `_handleFile` and `_removeFile`
   * @param {object} file has a `stream` until the engine has called back
   * @param {object} upload takes the place of the form
   */
  constructor (engine, file, upload) {
    const { req } = upload.exchange
    super(async (stream) => {
      stream.truncated = false
      Object.defineProperty(file, 'stream', { __proto__: null, configurable: true, value: stream })
      const info = await callBack((done) => engine._handleFile(req, file, done))
      delete file.stream
      Object.assign(file, info)
    }, file, upload)
    this.stored = new StoredFile(file, upload.form)
    this.isStored = false
    this.isTooLarge = false
    this.value.then(() => { this.isStored = true }, () => {})
  }

  /** The file is over its limit: engines do not take that for an error of its stream. */
  cut () {
    this.isTooLarge = true
  }

  /**
   * An engine that does not listen for errors of its stream would never call
   * back, and keep open what it has opened. For such a one the stream just ends;
   * what it stores is removed.
   */
  fail (reason) {
    if (this.isEnded) return // it has all bytes
    if (!this.isTooLarge && this.stream.listenerCount('error') > 0) {
      this.destroy(reason)
    } else {
      this.stream.truncated = true
      this.end()
    }
  }

  leave () {
    super.leave()
    this.form.sinks.add(this.stored)
  }

  release (done, reason) {
    super.release(() => {
      if (this.isStored) return this.stored.release(done)
      this.value.then(() => this.stored.release(() => {}), () => {}) // an engine that is late
      done()
    }, reason)
  }
}

/** What is left of the sink of a file that the engine removes if the form fails. */
class StoredFile {
  constructor (file, form) {
    this.file = file
    this.form = form
  }

  release (done) {
    const { file, form, form: { exchange, options: { storage } } } = this
    const call = (report) => exchange.runInAsyncScope(storage._removeFile, storage, exchange.req, file, report)
    AppSink.afterGrace(callBack(call).catch((error) => form.notRemoved(file, error)), done)
  }
}

module.exports = EngineSink
