'use strict'

// What Node has and the Fetch standard has not, if this is Node. Bundles for
// other runtimes must not name its modules, so none is imported.

const { createCharsets } = require('../core/platform')
const drain = require('../core/request/drain')
const { hasArrived } = require('../core/request/facts')

const { process } = globalThis
const { bun, deno, node } = process?.versions ?? {}

/** Bun and Deno imitate Node, but have streams and decoders of text of their own. */
const isNode = node !== undefined && bun === undefined && deno === undefined

/** @returns {object | undefined} undefined where there is none, and before Node 20.16 */
const findModule = (id) => isNode ? process.getBuiltinModule?.(id) : undefined

/** Those of Bun and Deno, and of Workers that have it, bound what a piece decodes to, as Node's does. */
const findZlib = () => process?.getBuiltinModule?.('node:zlib')
const findCrypto = () => process?.getBuiltinModule?.('node:crypto')

/** Not by `require`: iconv-lite needs modules of Node, which bundles must not import. Bundles for Node may lack it. */
function findIconv () {
  try {
    return findModule('node:module').createRequire(__filename)('iconv-lite')
  } catch {}
}

const utf8 = new TextDecoder()

/** A string is what `text()` of the Request has decoded. */
const decodeUtf8 = (content) => typeof content === 'string' ? content : utf8.decode(content)

/**
 * In Node the charsets of the middleware, elsewhere those of TextDecoder. `load` is for when a parser is made, so that
 * no request loads a file; iconv-lite loads some tables later.
 */
const { decoderOf, load: loadCharsets } = createCharsets({ decodeUtf8, findIconv })

/** Intentionally module-level: asked once, and where @hono/node-server keeps Node's message in a Request. */
let isSafe
let incomingKey // to look for it takes long

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

function findMessage (request) {
  incomingKey = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'incomingKey')
  return request[incomingKey]
}

/** What Node's server has parsed, of which a Request of @hono/node-server or srvx is made; undefined for any other. */
const messageOf = (request) => request[incomingKey] ?? request.runtime?.node?.req ?? findMessage(request)

/**
 * The rest of its body stays unread, so its connection cannot carry another request: the client is told so by the
 * response, unless all has arrived. The runtime's own servers do that themselves, and so does HTTP/2.
 */
function closeConnection (request) {
  const req = messageOf(request)
  const res = responseOf(req)
  if (res !== undefined && !hasArrived(req, 0)) drain.closeConnection?.({ req, res })
}

/** @returns {object | undefined} undefined over HTTP/2, and if an earlier response of the connection is not sent yet */
function responseOf (req) {
  const res = req?.socket?._httpMessage // what is next on this connection
  return res?.req === req ? res : undefined
}

module.exports = {
  closeConnection,
  decoderOf,
  findCrypto,
  findZlib,
  isCancelSafe,
  loadCharsets,
  messageOf,
  responseOf,
  servesRequests
}
