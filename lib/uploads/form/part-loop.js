'use strict'

const { partFields } = require('../parts/fields')
const parseHeader = require('../parts/header')
const { FORM, OTHER_TYPE } = require('../parts/rules')
const FileLoop = require('./file-loop')

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

module.exports = PartLoop
