'use strict'

// What Node has and the Fetch standard has not, if this is Node. Bundles for
// other runtimes must not name its modules, so nothing is imported.

const { process } = globalThis
const { bun, deno, node } = process?.versions ?? {}

/** Bun and Deno imitate Node, but have streams and decoders of text of their own. */
const isNode = node !== undefined && bun === undefined && deno === undefined

/** @returns {object | undefined} undefined where there is none, and before Node 20.16 */
const findModule = (id) => isNode ? process.getBuiltinModule?.(id) : undefined

/** Those of Bun and Deno, and of Workers that have it, bound what a piece decodes to, as Node's does. */
const findZlib = () => process?.getBuiltinModule?.('node:zlib')

/** Intentionally module-level: asked once. */
let isSafe

/**
 * Whether a body may be cancelled. Before Node 26, data that comes after a
 * stream of `Readable.toWeb` was cancelled ends the process, as it throws out
 * of an event of the request. There the rest of a body stays unread, and the
 * server closes the connection in its time.
 */
function isCancelSafe () {
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

/** Whether the class Request is that of a server in the runtime, which may give the content without making a stream. */
const servesRequests = bun !== undefined || deno !== undefined

module.exports = { findModule, findZlib, isCancelSafe, isDeno: deno !== undefined, servesRequests }
