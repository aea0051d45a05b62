'use strict'

// Values of parameters such as `filename*`, with their charset and with bytes as `%E2` (RFC 8187).

const { isSuperset } = require('./charset')

// More characters than RFC 8187 has may stand for themselves, as clients escape fewer.
const EXTENDED = /^([\w!#$%&+^`{}~-]+)'[\w-]*'([!-$&-~]*(?:%[\da-fA-F]{2}[!-$&-~]*)*)$/

const utf8 = new TextDecoder('utf-8', { fatal: true })
const isUtf8 = (charset) => charset.toLowerCase() === 'utf-8'

/**
 * @param {string} value such as `utf-8''%C3%A9.png`
 * @returns {string | null} null if it is malformed, or in another charset than it says, or in one that is not accepted
 */
module.exports = function decodeExtended (value) {
  const [, charset, escaped] = EXTENDED.exec(value) ?? []
  if (charset === undefined || !(isUtf8(charset) || isSuperset(charset))) return null
  try {
    const decoder = isUtf8(charset) ? utf8 : new TextDecoder(charset, { fatal: true })
    return decoder.decode(unescape(escaped))
  } catch {
    return null
  }
}

/** @param {string} text of ASCII */
function unescape (text) {
  const bytes = text.replace(/%(..)/g, (match, digits) => String.fromCharCode(parseInt(digits, 16)))
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0))
}
