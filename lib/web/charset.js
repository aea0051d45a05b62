'use strict'

/** @returns {((bytes: Uint8Array) => string) | null} null for a charset that the runtime does not know */
function decoderOf (charset) {
  if (charset === 'iso-8859-1') return decodeLatin1
  try {
    const decoder = new TextDecoder(charset)
    return (bytes) => decoder.decode(bytes)
  } catch {
    return null
  }
}

/** What TextDecoder calls so is windows-1252; but in UTF-16, each byte is a character of its own. */
function decodeLatin1 (bytes) {
  const { Buffer } = globalThis
  if (Buffer !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).latin1Slice()
  return new TextDecoder('utf-16le').decode(new Uint16Array(bytes))
}

module.exports = decoderOf
