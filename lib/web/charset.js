'use strict'

// Charset -> function from bytes to text. TextDecoder knows UTF-8 everywhere. In
// Node, iconv-lite decodes all others, as in the middleware: TextDecoder has
// wrong tables there (nodejs/node#56542, #40091), other ones in each version.

const { findModule } = require('./node')

/** @returns {((bytes: Uint8Array) => string) | null} null for a charset that is unknown */
function decoderOf (charset) {
  if (charset === 'utf-8') return decodeUtf8
  if (isLatin1(charset)) return decodeLatin1
  const iconv = findIconv()
  if (iconv !== undefined) return iconv.encodingExists(charset) ? (bytes) => iconv.decode(viewOf(bytes), charset) : null
  try {
    const decoder = new TextDecoder(charset)
    return (bytes) => decoder.decode(bytes)
  } catch {
    return null
  }
}

const utf8 = new TextDecoder()
const decodeUtf8 = (bytes) => utf8.decode(bytes)

/** Not imported, as it needs modules of Node, which bundles must not name. In a bundle for Node, it may be missing. */
function findIconv () {
  try {
    return findModule('node:module').createRequire(__filename)('iconv-lite')
  } catch {}
}

/** Some of its names. What TextDecoder calls so is windows-1252. */
const isLatin1 = (charset) => /^(iso88591|latin1|l1)$/.test(charset.replace(/[^0-9a-z]/g, ''))

/** In UTF-16, each byte is a character of its own. */
function decodeLatin1 (bytes) {
  if (globalThis.Buffer !== undefined) return viewOf(bytes).latin1Slice()
  return new TextDecoder('utf-16le').decode(new Uint16Array(bytes))
}

const viewOf = (bytes) => globalThis.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

module.exports = decoderOf
/** Now: a request must not need a file. The tables of some charsets are loaded later. */
module.exports.load = () => findIconv()?.encodingExists('utf-16le')
