'use strict'

// What a loop over the files or the parts of a form gets: a queue, which the form fills as the app takes from it.

const errors = require('../../core/errors')
const { partFields } = require('../parts/fields')
const parseHeader = require('../parts/header')
const { FORM, OTHER_TYPE } = require('../parts/rules')
const Waiter = require('../storage/waiter')

/** A loop over the files of a form. */
class FileLoop {
  /** @param {string} what the loop is over */
  constructor (what) {
    this.what = what
    this.queue = []
    this.outcome = null // once no more items come: empty, or with an error
    this.arrival = new Waiter() // until there is an item, or the end
    this.item = null // that the app has got
    this.refusal = null // an error
    const store = (file) => new Promise((resolve, reject) => this.write({ part: this.partOf(file), resolve, reject }))
    this.store = store
  }

  /** What the app gets of a file. */
  partOf (file) {
    return file
  }

  write (item) {
    if (this.refusal !== null) throw this.refusal
    this.queue.push(item)
    this.arrival.wake()
  }

  /** @param {[] | [unknown]} error why no more items come. Only the first call counts. */
  end (...error) {
    this.outcome ??= error
    this.arrival.wake()
  }

  /** @returns {Promise<object | null>} the next item; null at the end */
  async pull () {
    while (this.queue.length === 0 && this.outcome === null) await this.arrival.wait()
    if (this.queue.length > 0) return this.queue.shift()
    if (this.outcome.length > 0) throw this.outcome[0]
    return null
  }

  async * items () {
    while ((this.item = await this.pull()) !== null) {
      yield this.item.part
      this.item.resolve?.() // what was not read of a file is discarded
    }
  }

  /** The app wants nothing more. */
  stop () {
    if (this.outcome !== null && this.item === null) return
    this.refusal = this.createRefusal()
    for (const left of [this.item, ...this.queue.splice(0)]) left?.reject?.(this.refusal)
  }

  createRefusal () {
    return errors.create(400, `the ${this.what} are not read to the end`, { type: 'multipart.abandoned' })
  }
}

/** A loop over all parts of a form. The limits bound how many fields wait. */
class PartLoop extends FileLoop {
  constructor () {
    super('parts')
    this.isForm = null // until its form begins: whether that is form-data, of which each part needs a name
    this.headers = null // of the part that comes now
  }

  /** Of a part: as ../parts/header.js has it. */
  parseHeader (bytes, decode, fail) {
    const header = parseHeader(bytes, decode, fail, this.isForm ? FORM : OTHER_TYPE)
    this.headers = partFields(decode(bytes.chunk, bytes.start, bytes.end), fail)
    return header
  }

  /** @returns {number} bytes in memory, besides the text */
  onField (part) {
    this.write({ part: { ...part, headers: this.headers } })
    return part.bytes.length
  }

  partOf (file) {
    return Object.assign(file, { headers: this.headers })
  }
}

module.exports = { FileLoop, PartLoop }
