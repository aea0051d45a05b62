'use strict'

// What the header of a Request says of its body. Asks for single fields, and
// by `get` alone: for `has`, Deno makes a list of all of them.

const contentType = require('content-type')
const decoderOf = require('./charset')

const MAX_KEY_LENGTH = 64 // characters

/**
 * @typedef {object} Declaration
 * @property {string | null} length the field Content-Length
 * @property {boolean} isChunked whether there is a Transfer-Encoding
 *
 * @returns {Declaration}
 */
const declarationOf = ({ headers }) => ({
  length: headers.get('content-length'),
  isChunked: headers.get('transfer-encoding') !== null
})

/** What a Content-Type says. */
class ContentType {
  #decode

  /**
   * @param {string} value of the field
   * @param {{ allows: (charset: string) => boolean, fallback: string } | null} charsets null for parsers of bytes
   */
  constructor (value, charsets) {
    const { parameters, type } = contentType.parse(value)
    this.type = type
    this.charset = charsets && (parameters.charset?.toLowerCase() || charsets.fallback)
    this.isAllowed = charsets === null || charsets.allows(this.charset)
  }

  /** From bytes to text, or bytes; null if the charset is unknown. Not before it is needed, as it may load tables. */
  get decode () {
    return (this.#decode ??= this.charset === null ? keepBytes : decoderOf(this.charset))
  }
}

const keepBytes = (bytes) => bytes

/** @returns {(request: Request) => ContentType} remembers the latest, as most clients of a parser send the same */
function createTypeReader (charsets) {
  let latest = null
  let parsed = null
  return ({ headers }) => {
    const value = headers.get('content-type') ?? ''
    if (value === latest) return parsed
    const result = new ContentType(value, charsets)
    if (value.length <= MAX_KEY_LENGTH) {
      latest = value
      parsed = result
    }
    return result
  }
}

module.exports = { createTypeReader, declarationOf }
