'use strict'

const errors = require('../../core/errors')
const Waiter = require('../storage/waiter')
const { partFields } = require('../parts/fields')
const parseHeader = require('../parts/header')
const { FORM, OTHER_TYPE } = require('../parts/rules')

/** What a loop over the parts of a form gets: a queue of fields, which the limits bound, and at most one file. */
class PartLoop {
  constructor () {
    this.queue = []
    this.outcome = null // once no more parts come: empty, or with an error
    this.parts = new Waiter() // until there is a part, or the end
    this.isForm = null // until its form begins: whether that is form-data, of which each part needs a name
    this.item = null // that the app has got
    this.refusal = null // an error
    this.headers = null // of the part that comes now
    const store = (part) => new Promise((resolve, reject) => {
      this.write({ part: Object.assign(part, { headers: this.headers }), resolve, reject })
    })
    this.store = store
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

  write (item) {
    if (this.refusal !== null) throw this.refusal
    this.queue.push(item)
    this.parts.wake()
  }

  /** @param {[] | [unknown]} error why no more parts come. Only the first call counts. */
  end (...error) {
    this.outcome ??= error
    this.parts.wake()
  }

  /** @returns {Promise<object | null>} the next item; null at the end */
  async pull () {
    while (this.queue.length === 0 && this.outcome === null) await this.parts.wait()
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

  stop () {
    if (this.outcome !== null && this.item === null) return
    this.refusal = errors.create(400, 'the parts are not read to the end', { type: 'multipart.abandoned' })
    for (const left of [this.item, ...this.queue]) left?.reject?.(this.refusal)
  }
}

module.exports = PartLoop
