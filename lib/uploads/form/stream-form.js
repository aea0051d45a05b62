'use strict'

// Option `store: 'stream'`: the app gets the fields when the first file begins, and then the files in a loop.

const { withHandledPromises } = require('../../core/handled-promise')
const { Form } = require('./form')
const { Decision } = require('./form-reader')
const { FileLoop } = require('./loops')

const LATE = ': with store: \'stream\', fields come first and files last'

/** The files of one form. */
class StreamedFiles extends FileLoop {
  /**
   * @param {object} parser
   * @param {(fields: object, limit: number) => object} parser.nest
   * @param {((body: object) => Promise<unknown>) | null} parser.validate of a schema
   * @param {(body: unknown, host: import('./request-form').Host) => void} give the fields to the app; may throw
   */
  constructor ({ nest, validate }, give) {
    super('files')
    this.nest = nest
    this.validate = validate
    this.give = give
    this.body = undefined
    this.isBegun = false // the app has the fields
    this.isRead = false // the loop has begun
    let isTaken = false
    this.iterable = {
      [Symbol.asyncIterator]: () => {
        if (isTaken) throw new TypeError('the files are read by another loop')
        isTaken = true
        return this.open()
      }
    }
  }

  open () {
    const items = this.items()
    const end = (value) => {
      this.stopUnread() // a generator that has not begun ends without its `finally`
      return items.return(value)
    }
    return withHandledPromises({ next: () => items.next(), return: end, throw: (error) => items.throw(error) })
  }

  createForm (...args) {
    return new StreamForm(...args, this)
  }

  /** Resolves to undefined, as a body may have a `then`. */
  async prepare ({ fields, limits }) {
    this.body = this.nest(fields, limits.fieldCount)
    if (this.validate !== null) this.body = await this.validate(this.body)
  }

  begin (host) {
    this.give(this.body, host)
    this.isBegun = true
  }

  async * items () {
    this.isRead = true
    try {
      yield * super.items()
    } finally { // the loop may end before the files do
      this.stop()
      while (this.outcome === null) await this.arrival.wait() // an answer may close the connection
    }
  }

  /** Nothing waits for the app to ask for the next file any more. */
  releaseFiles () {
    for (const item of [this.item, ...this.queue]) item?.resolve()
  }

  /** Nobody is left to begin the loop, as the request is answered. */
  stopUnread () {
    if (!this.isRead) this.stop()
  }
}

/** A form that gives its files to the loop. */
class StreamForm extends Form {
  /** @param {StreamedFiles} streamed */
  constructor (settings, host, charset, streamed) {
    super({ ...settings, store: streamed.store }, host, charset)
    this.streamed = streamed
    this.files = streamed.iterable
  }

  openField (header) {
    if (this.streamed.isBegun) this.limits.refuse('field.late', LATE)
    return super.openField(header)
  }

  storeFile (upload) {
    const { streamed } = this
    if (streamed.isBegun) return super.storeFile(upload)
    return new Decision(this.ask(() => streamed.prepare(this)), () => {
      streamed.begin(this.host)
      return super.storeFile(upload)
    })
  }

  completeFile (upload, size) {
    this.rules.stored(size)
    return null
  }

  /** What a store removes is waited for, but not a handler that goes on to the next file in its own time. */
  failed (error) {
    super.failed(error)
    this.streamed.releaseFiles()
  }
}

module.exports = StreamedFiles
