'use strict'

// Values of parameters such as `filename*`, with their charset and with bytes as `%E2` (RFC 8187).

const { Buffer } = require('../../core/platform')

// More characters than RFC 8187 has may stand for themselves, as clients escape fewer.
const EXTENDED = /^([\w!#$%&+^`{}~-]+)'[\w-]*'([!-$&-~]*(?:%[\da-fA-F]{2}[!-$&-~]*)*)$/

const PERCENT = 0x25
const ZERO = 0x30
const LETTERS = 0x41

/**
 * @param {string} value such as `utf-8''%C3%A9.png`
 * @param {(charset: string) => ((bytes: Buffer) => string | null) | null} decoderOf charsets, in lower case
 * @returns {string | null} null if it is malformed, or in another charset than it says, or in one that is not accepted
 */
module.exports = function decodeExtended (value, decoderOf) {
  const [, charset, escaped] = EXTENDED.exec(value) ?? []
  const decode = charset === undefined ? null : decoderOf(charset.toLowerCase())
  return decode?.(unescape(escaped)) ?? null
}

/**
 * Without a function for each escape, which takes ten times as long.
 *
 * @param {string} text of ASCII, in which each `%` begins an escape
 */
function unescape (text) {
  const bytes = Buffer.alloc(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    bytes[length++] = unit === PERCENT ? digitAt(text, ++at) * 16 + digitAt(text, ++at) : unit
  }
  return bytes.subarray(0, length)
}

/** Of `0` to `9`, `A` to `F` and `a` to `f`: the low bits of a letter are 1 to 6. */
function digitAt (text, at) {
  const unit = text.charCodeAt(at)
  return unit < LETTERS ? unit - ZERO : (unit & 7) + 9
}
