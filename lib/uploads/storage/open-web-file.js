'use strict'

// Where files of /web go; see ./open-file.js for the contract.

const { memoryOf } = require('../../core/source/chunk-list')
const AppFile = require('./app-file')
const MemoryFile = require('./memory-file')
const WebStream = require('./web-stream')

/** What `formData()` would give of a file. */
const describeMemory = ({ name, type }) => (joined) => {
  const bytes = new Uint8Array(memoryOf(joined))
  return { bytes, toFile: () => new File([bytes], name, { type }) }
}

/** @type {typeof import('./open-file')} */
module.exports = function openWebFile (store, file, { ask, place }) {
  if (store === 'memory') return new MemoryFile(describeMemory(file))
  if (store.isDiskStore) return store.open(file, { ask, place })
  const openStream = (stored) => new WebStream(file, stored)
  return new AppFile(openStream, (stream) => ask(store, stream.handedOut))
}
