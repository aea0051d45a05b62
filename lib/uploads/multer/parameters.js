'use strict'

// Parameters of a field in a part's header: of Content-Disposition and of Content-Type.

const { unescapeBuffer } = require('node:querystring')
const { MAX_PARAMETERS } = require('../parts/header')

const TOKEN = "[!#$%&'*+.^_`|~\\w-]"
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(${TOKEN}*)=(?:"((?:[^"\\\\]|\\\\[^])*)"|(${TOKEN}+))`, 'y')
const EXTENDED = /^([\w!#$%&+^`{}~-]+)'[\w-]*'((?:[\w!#$&+.^`|~-]|%[\da-f]{2})+)$/i
const END = /[ \t]*$/y

/**
 * @param {string} text what follows the value of the field; each character is a byte
 * @param {(text: string) => string} decode values, from such characters
 * @param {(charset: string) => ((bytes: Buffer) => string) | null} decoderOf charsets of values that name one
 * @returns {Map<string, string> | null} the first of each name, in lower case; null if the text is malformed, or has
 *   too many
 */
function parseParameters (text, decode, decoderOf) {
  const parameters = new Map()
  let at = 0
  for (let count = 0; count <= MAX_PARAMETERS; count++) {
    END.lastIndex = at
    if (END.test(text)) return parameters
    PARAMETER.lastIndex = at
    const match = PARAMETER.exec(text)
    if (match === null) return null
    at = PARAMETER.lastIndex
    const [, key, quoted, token] = match
    const name = key.toLowerCase()
    const plain = quoted === undefined ? token : unquote(quoted)
    const value = name.endsWith('*') ? decodeExtended(token, decoderOf) : decode(plain)
    if (value === null) return null
    if (!parameters.has(name)) parameters.set(name, value)
  }
  return null
}

const unquote = (text) => text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text

/** `charset'language'value`, with bytes as `%E2` (RFC 8187). */
function decodeExtended (text, decoderOf) {
  const match = EXTENDED.exec(text ?? '')
  if (match === null) return null
  const [, charset, value] = match
  return decoderOf(charset)?.(unescapeBuffer(value)) ?? null
}

module.exports = parseParameters
