'use strict'

const { Buffer } = require('../../core/platform')
const ChunkList = require('../../core/source/chunk-list')

/** A file in memory: its chunks are kept as they came, and joined once. See ./open-file.js. */
class MemoryFile extends ChunkList {
  /** @param {(bytes: Buffer) => object} [describe] what the store adds to the file */
  constructor (describe = (bytes) => ({ bytes })) {
    super()
    this.describe = describe
  }

  write (chunk, start, end) {
    super.write(chunk, start, end)
    return null
  }

  end () {
    const bytes = Buffer.concat(this.pieces(), this.length) // without the memory around them
    return { fields: this.describe(bytes), remove: null }
  }

  release () {
    return null
  }
}

module.exports = MemoryFile
