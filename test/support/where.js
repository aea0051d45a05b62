'use strict'

// `describe` and `it` for what not every platform has, asked as a capability: where it
// is missing, the tests are skipped, and their titles say why.

const { tracingChannel } = require('node:diagnostics_channel')
const fs = require('node:fs')
const os = require('node:os')

function where (hasIt, reason) {
  if (hasIt) return { describe, it }
  const skipping = (define) => (title, ...args) => define.skip(`${title} (skipped: ${reason})`, ...args)
  return { describe: skipping(describe), it: skipping(it) }
}

/** What `/web` needs to have Node's zlib, and iconv-lite. */
exports.builtins = where(process.getBuiltinModule !== undefined, 'no process.getBuiltinModule')
/** Without it, the package publishes nothing. */
exports.tracing = where(tracingChannel('test').hasSubscribers !== undefined, 'a tracing channel has no hasSubscribers')
exports.disposing = where(Symbol.asyncDispose !== undefined, 'no Symbol.asyncDispose')
/** Those of undici 5 go through a MessagePort, which keeps what comes although the clone is cancelled. */
exports.cloning = where(parseInt(process.versions.undici ?? '6', 10) > 5, 'clones of a Request keep chunks')
exports.flushing = where(knowsFlush(), 'a stream of node:fs has no option flush')

function knowsFlush () {
  try {
    fs.createWriteStream(os.devNull, { flush: 'a wrong value' }).destroy()
    return false
  } catch {
    return true
  }
}
