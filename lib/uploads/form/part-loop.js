'use strict'

const ChunkQueue = require('../../core/body/chunk-queue')
const errors = require('../../core/errors')
const parseHeader = require('../parts/header')
const partFields = require('../parts/part-fields')
const { FORM, OTHER_TYPE } = require('../parts/rules')

/** What a loop over the parts of a form gets: a queue of fields, which the limits bound, and at most one file. */
class PartLoop extends ChunkQueue {
  constructor () {
    super()
    this.isForm = null // until its form begins: whether that is form-data, of which each part needs a name
    this.item = null // that the app has got
    this.abandoned = null // an error
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
    if (this.abandoned !== null) throw this.abandoned
    super.write(item)
  }

  async * items () {
    while ((this.item = await this.pull()) !== null) {
      yield this.item.part
      this.item.resolve?.() // what was not read of a file is discarded
    }
  }

  abandon () {
    if (this.outcome !== null && this.item === null) return
    this.abandoned = errors.create(400, 'the parts are not read to the end', { type: 'multipart.abandoned' })
    for (const left of [this.item, ...this.chunks]) left?.reject?.(this.abandoned)
  }
}

module.exports = PartLoop
