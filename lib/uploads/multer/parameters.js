'use strict'

// Parameters of a field in a part's header: of Content-Disposition and of Content-Type.

const { unescapeBuffer } = require('node:querystring')
const { readParameters } = require('../parts/fields')
const { hasManyEscapes } = require('../parts/header')

const TOKEN = "[!#$%&'*+.^_`|~\\w-]"
const QUOTED = /"([^"\\]*(?:\\[^][^"\\]*)*)"/.source
const VALUE = `(?:${QUOTED}|(${TOKEN}+))`
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(${TOKEN}*)=${VALUE}`, 'y')
const EXTENDED = /^([\w!#$%&+^`{}~-]+)'[\w-]*'((?=.)[\w!#$&+.^`|~-]*(?:%[\da-fA-F]{2}[\w!#$&+.^`|~-]*)*)$/
const WANTED = new Set(['boundary', 'charset', 'filename', 'filename*', 'name'])

/**
 * @param {string} text what follows the value of the field, without blanks at its end; each character is a byte
 * @param {(text: string) => string} decode values, from such characters
 * @param {(charset: string) => ((bytes: Buffer) => string) | null} decoderOf charsets of values that name one
 * @returns {Map<string, string> | null} the first of each name that anything asks for, in lower case; null if the
 *   text is malformed, or has too many
 */
function parseParameters (text, decode, decoderOf) {
  const parameters = new Map()
  for (const match of readParameters(text, 0, PARAMETER, () => null)) {
    if (match === null) return null
    const [, key, quoted, token] = match
    const name = key.toLowerCase()
    if (!WANTED.has(name) || parameters.has(name)) {
      if (name.endsWith('*') && !isExtended(token, decoderOf)) return null
      continue
    }
    const value = name.endsWith('*') ? decodeExtended(token, decoderOf) : decodeValue(quoted ?? token, decode)
    if (value === null) return null
    parameters.set(name, value)
  }
  return parameters
}

/** @returns {string | null} null for one that takes long */
function decodeValue (text, decode) {
  return hasManyEscapes(text) ? null : decode(unquote(text))
}

const unquote = (text) => text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text

/** `charset'language'value`, with bytes as `%E2` (RFC 8187). */
function decodeExtended (text, decoderOf) {
  const [, charset, value] = EXTENDED.exec(text ?? '') ?? []
  return charset === undefined ? null : decoderOf(charset)?.(unescapeBuffer(value)) ?? null
}

/** Of a value that is not asked for. */
function isExtended (text, decoderOf) {
  const [, charset] = EXTENDED.exec(text ?? '') ?? []
  return charset !== undefined && decoderOf(charset) !== null
}

module.exports = parseParameters
