'use strict'

// What a client calls a file.

const { Buffer } = require('../../core/platform')

const CONTROL = /\p{Cc}/u
const SEPARATOR = /[/\\]/ // also on systems where a name may have a backslash
const DRIVES = /^(?:[a-z]:)+/i
const DOTS = /^[.\s]*$/ // Windows ignores dots and blanks at the end of a name, so that `.. ` is `..`

// More characters than RFC 8187 has may stand for themselves, as clients escape fewer.
const EXTENDED = /^([\w!#$%&+^`{}~-]+)'[\w-]*'([!-$&-~]*(?:%[\da-fA-F]{2}[!-$&-~]*)*)$/

/**
 * The name may be a path: browsers send one if the user chooses a folder (`webkitdirectory`), and some clients send
 * that of their disk.
 *
 * @param {string} path as the client has sent it
 * @param {(text: string, separator: RegExp) => string[]} split throws for too many pieces
 * @returns {{ filename: string, folder: string }} the last segment, which is
 *   empty if that is `.` or `..`; and those before it, joined by `/`, without those that lead elsewhere
 */
function splitPath (path, split) {
  const segments = split(split(path, CONTROL).join(''), SEPARATOR)
  const last = segments.pop()
  const folder = segments.map((segment) => segment.replace(DRIVES, '')).filter((segment) => !DOTS.test(segment))
  return { filename: last === '.' || last === '..' ? '' : last, folder: folder.join('/') }
}

/**
 * Of a parameter such as `filename*`, which has its charset, and bytes as `%E2` (RFC 8187).
 *
 * @param {string} value such as `utf-8''%C3%A9.png`
 * @param {(charset: string) => ((bytes: Buffer) => string | null) | null} decoderOf charsets, in lower case
 * @returns {string | null} null if it is malformed, or in another charset than it says, or in one that is not accepted
 */
function decodeExtended (value, decoderOf) {
  const [, charset, escaped] = EXTENDED.exec(value) ?? []
  const decode = charset === undefined ? null : decoderOf(charset.toLowerCase())
  return decode?.(percentDecode(escaped)) ?? null
}

/** @param {string} text of ASCII, in which each `%` begins an escape */
const percentDecode = (text) => Buffer.from(globalThis.unescape(text), 'latin1')

module.exports = { decodeExtended, splitPath }
