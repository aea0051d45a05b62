'use strict'

// What the header of a Request says of its body. Asks for single fields, and
// by `get` alone: for `has`, Deno makes a list of all of them.

const contentType = require('content-type')

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

/** @returns {string} in lower case; empty if there is none */
const mediaTypeOf = ({ headers }) => contentType.parse(headers.get('content-type') ?? '').type

module.exports = { declarationOf, mediaTypeOf }
