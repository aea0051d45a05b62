'use strict'

// Changes one override in the text of pnpm-workspace.yaml, and leaves every other character as it is.

/**
 * @param {string} text
 * @param {string[]} keys `overrides`, and the name of a package
 * @param {string | undefined} value undefined removes the line, and `overrides` if it has no other
 * @param {boolean} [isKept] whether `overrides` stays although it has no other
 * @returns {string}
 * @throws {Error} if the overrides are written in braces
 */
function editYaml (text, [part, key], value, isKept = false) {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.split(eol) // the last one is empty, unless the file ends without a line break
  const start = lines.findIndex((line) => new RegExp(`^(["']?)${part}\\1\\s*:`).test(line))
  if (start === -1) {
    const end = lines.at(-1) === '' ? lines.length - 1 : lines.length
    if (value !== undefined) lines.splice(end, 0, `${part}:`, lineOf(key, value))
  } else if (/:\s*(?:#.*)?$/.test(lines[start])) {
    editPart(lines, start, { key, value, isKept })
  } else throw new Error(`${part} of pnpm-workspace.yaml is not a list of lines: write it as one line for each package`)
  return lines.join(eol)
}

function editPart (lines, start, { key, value, isKept }) {
  const end = endOf(lines, start)
  const entries = lines.slice(start + 1, end).filter((line) => /^\s+[^\s#]/.test(line))
  const own = lines.findIndex((line, at) => at > start && at < end && isFor(line, key))
  if (value !== undefined && own === -1) {
    lines.splice(end, 0, lineOf(key, value, /^\s+/.exec(entries[0] ?? '')?.[0]))
  } else if (value !== undefined) {
    lines[own] = lines[own].replace(VALUE, (_, before, quote) => `${before}${quote}${value}${quote}`)
  } else if (own !== -1) {
    if (entries.length === 1 && !isKept) lines.splice(start, end - start)
    else lines.splice(own, 1)
  }
}

/** What precedes a value, its quotation mark, and the value, without a comment behind it. */
const VALUE = /^(\s+(?:"[^"]*"|'[^']*'|\S+?)\s*:\s+)(["']?)(?:(?<=["'])[^"']*["']|[^\s"']\S*)/

/** The line behind the last one of a part, without blank lines and comments that belong to the next part. */
function endOf (lines, start) {
  let end = start + 1
  for (let at = end; at < lines.length && /^(?:\s|#|$)/.test(lines[at]); at++) {
    if (/^\s+[^\s#]/.test(lines[at])) end = at + 1
  }
  return end
}

const isFor = (line, key) => new RegExp(`^\\s+(["']?)${key.replace(/[.+*?^$()[\]{}|\\]/g, '\\$&')}\\1\\s*:`).test(line)

/** YAML needs quotes around a key that begins with an `@`. */
function lineOf (key, value, indent = '  ') {
  const isPlain = /^[\w.-]+(?:@[\w.-]+)?$/.test(key)
  return `${indent}${isPlain ? key : `'${key}'`}: ${value}`
}

module.exports = editYaml
