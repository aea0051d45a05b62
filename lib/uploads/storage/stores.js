'use strict'

// Where files go. `openSink` makes a sink for each:
//
// - `write(chunk, start, end)` returns false if it wants no more until `form.ready()`.
// - `end()` leads to `form.stored(null, outcome)`, with fields for the file.
//   `form.stored(error)` may be called at any time.
// - `length`: bytes that it holds in memory.
// - `release(done, reason)`, if the sink is one of `form.sinks`, ends the
//   writing and removes what was stored.

const ChunkList = require('../../core/body/chunk-list')
const AppSink = require('./app-sink')

class MemorySink extends ChunkList {
  constructor (form) {
    super()
    this.form = form
  }

  end () {
    this.form.stored(null, { bytes: Buffer.concat(this.pieces(), this.length) }) // without the memory around them
  }
}

/** @param {'memory' | import('./disk') | Function} store the option */
module.exports = function openSink (store, file, form) {
  if (store === 'memory') return new MemorySink(form)
  return store.isDiskStore ? store.open(file, form) : new AppSink(store, file, form)
}
