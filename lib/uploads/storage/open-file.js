'use strict'

// Where files go. A file that is being stored knows nothing of its form:
//
// - `begin()` opens it. The app's code may run, so everything else is in place before.
// - `write(chunk, start, end)` returns null if the file takes more bytes at once, else a promise that is resolved when
//   it does.
// - `end()`: all bytes have been written. Returns the outcome, or a promise of it.
// - `outcome`: that promise, which may be rejected at any time; null if `end` returns the outcome itself.
// - `length`: bytes that it holds in memory.
// - `release(reason)` ends the writing and removes what was stored. Returns null if there is nothing to wait for, else
//   a promise: of null, or of the error that has prevented the removal.

const { Buffer } = require('../../core/platform')
const ChunkList = require('../../core/source/chunk-list')
const AppFile = require('./app-file')

/** A file in memory: its chunks are kept as they came, and joined once. */
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

/**
 * @typedef {object} Outcome of a file that is stored
 * @property {object} fields what the store adds to the file
 * @property {(() => Promise<unknown>) | null} remove unless the app keeps it
 *
 * @callback OpenFile
 * @param {'memory' | import('./disk') | Function} store the option
 * @param {object} file what the app is told of it
 * @param {object} part
 * @param {(callback: Function, subject: object) => Promise<unknown>} part.ask calls a function of the app's
 * @param {object} part.place fields of an error
 * @returns {object} a file that is being stored
 */

/**
 * @param {typeof import('./file-stream') | typeof import('./web-stream')} Stream by which the app reads a file
 * @returns {OpenFile}
 */
const createOpenFile = (Stream) => function openFile (store, file, { ask, place }) {
  if (store === 'memory') return new MemoryFile(Stream.describeBytes?.(file))
  if (store.isDiskStore) return store.open(file, { ask, place })
  return new AppFile((stored) => new Stream(file, stored), (stream) => ask(store, stream.handedOut ?? stream))
}

module.exports = { MemoryFile, createOpenFile }
