'use strict'

// What a client calls a file may be a path: browsers send one if the user
// chooses a folder (`webkitdirectory`), and some clients send that of their disk.

const CONTROL = /\p{Cc}/u
const SEPARATOR = /[/\\]/ // also on systems where a name may have a backslash
const DRIVES = /^(?:[a-z]:)+/i
const DOTS = /^[.\s]*$/ // Windows ignores dots and blanks at the end of a name, so that `.. ` is `..`

/**
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

module.exports = splitPath
