'use strict'

// Changes one override in the text of pnpm-workspace.yaml, and leaves every other line and comment as it is.

/**
 * @param {string} text
 * @param {string[]} keys `overrides`, and the name of a package
 * @param {string | undefined} value undefined removes the line, and `overrides` if it has no other
 * @returns {string}
 * @throws {Error} if the overrides are written in braces
 */
function editYaml (text, [part, key], value) {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(eol)
  const start = lines.findIndex((line) => line.startsWith(`${part}:`))
  if (start === -1) return value === undefined ? text : [...lines, `${part}:`, lineOf(key, value), ''].join(eol)
  if (!/^\w+:\s*(?:#.*)?$/.test(lines[start])) {
    throw new Error(`${part} of pnpm-workspace.yaml is not a list of lines: write it as one line for each package`)
  }
  const end = endOf(lines, start)
  const own = lines.findIndex((line, at) => at > start && at < end && isFor(line, key))
  const indent = /^\s*/.exec(lines[start + 1] ?? '')[0] || '  '
  if (value !== undefined) {
    if (own === -1) lines.splice(end, 0, lineOf(key, value, indent))
    else lines[own] = lineOf(key, value, indent)
  } else if (own !== -1) {
    const isLast = !lines.some((line, at) => at > start && at < end && at !== own && line.trim() !== '')
    if (isLast) lines.splice(start, end - start)
    else lines.splice(own, 1)
  }
  return lines.length === 0 ? '' : [...lines, ''].join(eol)
}

/** The line behind the last one of a part, without blank lines and comments that belong to the next part. */
function endOf (lines, start) {
  let end = start + 1
  for (let at = end; at < lines.length && /^(?:\s|#|$)/.test(lines[at]); at++) {
    if (/^\s+[^\s#]/.test(lines[at])) end = at + 1
  }
  return end
}

const isFor = (line, key) => new RegExp(`^\\s+(["']?)${key.replace(/[.+*?^$()[\]{}|\\]/g, '\\$&')}\\1:`).test(line)

/** YAML needs quotes around a key that begins with an `@`. */
function lineOf (key, value, indent = '  ') {
  const isPlain = /^[\w.-]+(?:@[\w.-]+)?$/.test(key)
  return `${indent}${isPlain ? key : `'${key}'`}: ${value}`
}

module.exports = editYaml
