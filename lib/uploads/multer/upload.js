'use strict'

const EngineSink = require('./engine-sink')

/** A file that an engine stores, beside others of the form; takes the place of the form for its sink. */
class Upload {
  /** @param {{ fieldname: string }} slot of the file in the results */
  constructor (form, file, slot) {
    const { exchange, sinks, options: { storage } } = form
    Object.assign(this, { form, file, slot, exchange, sinks })
    this.sink = new EngineSink(storage, file, this)
  }

  /** Its sink takes bytes again. */
  ready () {
    if (this.form.sink === this.sink) this.form.ready()
  }

  /** Its engine is done, and all bytes have come; or it has failed. */
  stored (error) {
    this.form.uploaded(this, error)
  }
}

module.exports = Upload
