'use strict'

const { findModule, isNode } = require('./node')

/** Intentionally module-level: asked once. */
let isSafe

/**
 * Whether a body may be cancelled. Before Node 26, data that comes after a
 * stream of `Readable.toWeb` was cancelled ends the process, as it throws out
 * of an event of the request. There the rest of a body stays unread, and the
 * server closes the connection in its time.
 */
module.exports = function isCancelSafe () {
  return (isSafe ??= !isNode || surviveData(findModule('node:stream')))
}

function surviveData (stream) {
  try {
    const source = stream.Readable.from([])
    stream.Readable.toWeb(source).cancel()
    source.emit('data', new Uint8Array(1))
    return true
  } catch {
    return false
  }
}
